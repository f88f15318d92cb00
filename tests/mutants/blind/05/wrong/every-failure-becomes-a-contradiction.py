# misconception: catch-all
# why: Somebody who wants one kind of exception to leave the function, and wraps whatever the write raises into a ValueError.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except Exception as error:
        stored = getattr(error, "response", {}).get("Item")
        if stored == item:
            return False
        raise ValueError("no se pudo guardar " + item["id"]["S"]) from error
