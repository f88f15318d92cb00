# misconception: refused-is-crash
# why: A beginner who put the condition in, saw the red error on the second call and thought that is how it stops a duplicate.

# %% save-once
def save_once(dynamodb, table, item):
    response = dynamodb.put_item(
        TableName=table,
        Item=item,
        ConditionExpression="attribute_not_exists(customer)",
    )
    if response["ResponseMetadata"]["HTTPStatusCode"] == 200:
        return True
    return False
