# points: 22
# loses: test-save-once-repeat, test-save-once-keeps, test-handler-twice
# why: The condition was copied from an example whose key was called id.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
