# misconception: check-then-write
# why: A beginner who wrote down what the sentence says: first see whether something is there, then save.

# %% save-once
def save_once(dynamodb, table, item):
    key = {"customer": item["customer"], "order_id": item["order_id"]}
    found = dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True)
    if "Item" in found:
        return False
    else:
        dynamodb.put_item(TableName=table, Item=item)
        return True
