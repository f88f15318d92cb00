# points: 22
# loses: test-save-once-repeat, test-save-once-keeps, test-save-once-second-order, test-save-once-other-errors
# why: It takes the key out of the item for the update, and forgets that the item is the caller's.

# %% save-once
def save_once(dynamodb, table, item):
    key = {name: item.pop(name) for name in ("customer", "order_id") if name in item}
    try:
        dynamodb.put_item(TableName=table, Item={**key, **item}, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
