# misconception: condition-scans
# why: Somebody who thinks the lesson's condition means "this customer is not in the table yet" and says so in a query as well.

# %% save-once
def save_once(dynamodb, table, item):
    # attribute_not_exists(customer): el cliente todavía no está en la tabla
    same_customer = dynamodb.query(
        TableName=table,
        KeyConditionExpression="customer = :c",
        ExpressionAttributeValues={":c": item["customer"]},
        ConsistentRead=True,
    )
    if same_customer["Count"] > 0:
        return False
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
