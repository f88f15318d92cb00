# misconception: put-inserts
# why: Somebody who believes that PutItem fails while the key is taken, and makes room for it.

# %% save-once
def save_once(dynamodb, table, item):
    key = {"customer": item["customer"], "order_id": item["order_id"]}
    old = dynamodb.delete_item(TableName=table, Key=key, ReturnValues="ALL_OLD")
    dynamodb.put_item(TableName=table, Item=item)
    return "Attributes" not in old
