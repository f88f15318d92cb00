# points: 26
# loses: test-save-once-keeps
# why: What is not there has no status. An order that was stored without one was not thought of.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#status)",
            ExpressionAttributeNames={"#status": "status"},
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
