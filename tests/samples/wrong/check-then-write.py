# points: 24
# loses: test-save-once-keeps, test-handler-twice
# misconceptions: check-then-write
# why: First look whether it is there, then write: that is how one would say it.

# %% save-once
def save_once(dynamodb, table, item):
    key = {"customer": item["customer"], "order_id": item["order_id"]}
    if "Item" in dynamodb.get_item(TableName=table, Key=key):
        return False
    dynamodb.put_item(TableName=table, Item=item)
    return True
