# points: 27
# why: NOT attribute_exists says the same as attribute_not_exists.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        response = dynamodb.put_item(TableName=table, Item=item, ConditionExpression="NOT attribute_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return response["ResponseMetadata"]["HTTPStatusCode"] == 200
