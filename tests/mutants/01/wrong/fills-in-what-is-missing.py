# misconception: none
# why: Somebody who keeps each stored value with if_not_exists, and forgets that an item without a status gets one.

# %% save-once
def save_once(dynamodb, table, item):
    response = dynamodb.update_item(
        TableName=table,
        Key={"customer": item["customer"], "order_id": item["order_id"]},
        UpdateExpression="SET #s = if_not_exists(#s, :s)",
        ExpressionAttributeNames={"#s": "status"},
        ExpressionAttributeValues={":s": item["status"]},
        ReturnValues="ALL_OLD",
    )
    return "Attributes" not in response
