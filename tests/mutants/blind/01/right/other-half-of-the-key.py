# why: Somebody who names the sort key in the condition; DynamoDB looks at the same one item.

# %% save-once
def save_once(dynamodb, table, item):
    saved = True
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(order_id)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        saved = False
    return saved
