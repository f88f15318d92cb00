# points: 24
# loses: test-save-once-other-errors, test-handler-mixed
# misconceptions: catch-all
# why: Whatever goes wrong, the order was not written: False.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
        return True
    except Exception:
        return False
