# misconception: put-inserts
# why: Somebody who heard that PutItem overwrites, and believes that UpdateItem does not.

# %% save-once
def save_once(dynamodb, table, item):
    key = {"customer": item["customer"], "order_id": item["order_id"]}
    changes = {name: {"Value": value} for name, value in item.items() if name not in key}
    before = dynamodb.update_item(TableName=table, Key=key, AttributeUpdates=changes, ReturnValues="ALL_OLD")
    return not before.get("Attributes")
