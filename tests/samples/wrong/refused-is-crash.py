# points: 22
# loses: test-save-once-repeat, test-save-once-keeps, test-handler-twice
# misconceptions: refused-is-crash
# why: An exception means that something went wrong, so it goes out.

# %% save-once
def save_once(dynamodb, table, item):
    dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    return True
