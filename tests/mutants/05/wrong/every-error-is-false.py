# misconception: catch-all
# why: Whatever goes wrong with the write, the order was not stored now: False.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except Exception as error:
        stored = getattr(error, "response", {}).get("Item")
        if stored and stored != item:
            raise ValueError("different order")
        return False
    return True
