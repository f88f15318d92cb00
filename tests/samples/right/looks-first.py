# points: 27
# why: It reads first to save a write, and puts the condition into the write all the same.

# %% save-once
def save_once(dynamodb, table, item):
    key = {name: item[name] for name in ("customer", "order_id") if name in item}
    if "Item" in dynamodb.get_item(TableName=table, Key=key, ConsistentRead=True):
        return False
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
