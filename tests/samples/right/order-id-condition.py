# points: 27
# why: Either part of the key will do in the condition, and a place-holder may name it.

# %% save-once
def save_once(dynamodb, table, item):
    saved = False
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#id)",
            ExpressionAttributeNames={"#id": "order_id"},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        saved = True
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        print("stored before:", error.response.get("Item"))
    return saved
