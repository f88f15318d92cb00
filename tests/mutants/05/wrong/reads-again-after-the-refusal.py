# misconception: check-then-write
# why: The refusal only says no; to compare, the order is read, as if it must still be as it was a moment before.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        stored = dynamodb.get_item(TableName=table, Key={"id": item["id"]})["Item"]
        if stored == item:
            return False
        raise ValueError("a different order has this id")
    return True
