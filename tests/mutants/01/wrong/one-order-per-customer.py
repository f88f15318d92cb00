# misconception: condition-scans
# why: Somebody who believes that the condition asks for the customer, and looks for the customer first to say so clearly.

# %% save-once
def save_once(dynamodb, table, item):
    known = dynamodb.query(
        TableName=table,
        KeyConditionExpression="customer = :c",
        ExpressionAttributeValues={":c": item["customer"]},
        Select="COUNT",
    )
    if known["Count"] > 0:
        return False
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
