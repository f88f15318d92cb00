# misconception: check-then-write
# why: Somebody from SQL land: SELECT, and INSERT if there was no row; the strongly consistent read seems to make it safe.

# %% save-once
def save_once(dynamodb, table, item):
    key = {"customer": item["customer"], "order_id": item["order_id"]}
    existing = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True)
    if "Item" in existing:
        return False
    dynamodb.put_item(TableName=table, Item=item)
    return True
