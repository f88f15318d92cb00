# misconception: exactly-once
# why: First claim the id with a condition, then fill in the order: as if nothing could happen between two calls.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item={"id": item["id"]},
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] == item:
            return False
        raise ValueError("a different order")
    # The id is ours now.
    dynamodb.put_item(TableName=table, Item=item)
    return True
