# misconception: check-then-write
# why: A query by the key counts how many there are; with none of them, the way is free.

# %% save-job
def save_job(dynamodb, table, item):
    stored = dynamodb.query(
        TableName=table,
        KeyConditionExpression="id = :id",
        ExpressionAttributeValues={":id": item["id"]},
        ConsistentRead=True,
    )["Items"]
    if not stored:
        dynamodb.put_item(TableName=table, Item=item)
    elif stored != [item]:
        raise ValueError("not the same order")
    return not stored
