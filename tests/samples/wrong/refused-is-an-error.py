# points: 22
# loses: test-save-once-repeat, test-save-once-keeps, test-handler-twice
# misconceptions: refused-is-crash
# why: It catches the refusal and makes an error of its own from it.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        raise ValueError("This order is there already")
    return True
