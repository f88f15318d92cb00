# misconception: catch-all
# why: Somebody who believes that finally is where to return from: it swallows each error on its way out.

# %% save-once
def save_once(dynamodb, table, item):
    saved = False
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
        saved = True
    finally:
        return saved
