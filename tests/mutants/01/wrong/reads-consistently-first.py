# misconception: check-then-write
# why: Somebody who believes that a consistent read closes the gap before the write.

# %% save-once
def save_once(dynamodb, table, item):
    key = {"customer": item["customer"], "order_id": item["order_id"]}
    found = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True)
    if found.get("Item"):
        return False
    else:
        dynamodb.put_item(TableName=table, Item=item)
        return True
