# misconception: check-then-write
# why: Somebody who finds a condition unreadable: look first, decide in Python, then write.

# %% save-job
def save_job(dynamodb, table, item):
    stored = dynamodb.get_item(TableName=table, Key={"id": item["id"]}, ConsistentRead=True).get("Item")
    if stored is None:
        dynamodb.put_item(TableName=table, Item=item)
        return True
    if stored == item:
        return False
    raise ValueError(f"{item['id']['S']} ya existe y es distinto")
