# misconception: none
# why: Somebody who reasons that the total follows from the quantity, so comparing one field is enough.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        before = error.response["Item"]
        if before.get("quantity") == item.get("quantity"):
            return False
        raise ValueError("same id, other quantity")
    return True
