# misconception: none
# why: The total follows from the quantity, so the quantity seemed enough to compare: an old price is not noticed.

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
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        stored = error.response["Item"]
        if stored["id"] == item["id"] and stored["quantity"] == item["quantity"]:
            return False
        raise ValueError("a different quantity is stored")
