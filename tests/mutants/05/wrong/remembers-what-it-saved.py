# misconception: exactly-once
# why: What this process has saved once is done for good, so the table need not be asked again.

# %% save-job
finished = {}


def save_job(dynamodb, table, item):
    key = item["id"]["S"]
    if finished.get(key) == item:
        return False
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] != item:
            raise ValueError("different item")
        finished[key] = item
        return False
    finished[key] = item
    return True
