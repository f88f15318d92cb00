# points: 14
# loses: test-save-once-repeat, test-save-once-keeps, test-save-once-second-order, test-save-once-other-errors, test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice
# why: The code is right, and the line that was to be deleted still stands before it.

# %% save-once
def save_once(dynamodb, table, item):
    raise NotImplementedError
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
