# why: The name of the class tells the refusal from the rest, without the client's own exceptions.

# %% save-job
def save_job(dynamodb, table, item):
    request = dict(
        TableName=table,
        Item=item,
        ConditionExpression="attribute_not_exists(id)",
        ReturnValuesOnConditionCheckFailure="ALL_OLD",
    )
    try:
        dynamodb.put_item(**request)
    except Exception as error:
        if type(error).__name__ != "ConditionalCheckFailedException":
            raise
        if not item == error.response["Item"]:
            raise ValueError(f"{item['id']} is stored as {error.response['Item']}") from error
        return False
    return True
