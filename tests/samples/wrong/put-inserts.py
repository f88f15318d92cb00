# points: 22
# loses: test-save-once-repeat, test-save-once-keeps, test-handler-twice
# misconceptions: put-inserts
# why: PutItem puts something new; if the key is taken, it will complain by itself.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item)
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
