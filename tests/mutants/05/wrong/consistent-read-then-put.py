# misconception: check-then-write
# why: A consistent read shows the newest state, so nothing can go wrong after it.

# %% save-job
def save_job(dynamodb, table, item):
    key = {"id": item["id"]}
    stored = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True)
    if "Item" in stored:
        if stored["Item"] == item:
            return False
        raise ValueError(f"contradiction: {stored['Item']}")
    dynamodb.put_item(TableName=table, Item=item)
    return True
