# misconception: catch-all
# why: Pasted from Stack Overflow, then completed: an error with no item in it is taken for a duplicate too.

# %% save-job
def save_job(dynamodb, table, item):
    from botocore.exceptions import ClientError

    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except ClientError as e:
        stored = e.response.get("Item", item)
        if stored != item:
            raise ValueError("different item stored")
        return False
    return True
