# points: 21
# loses: test-save-once-keeps, test-save-once-second-order, test-handler-stores, test-handler-twice
# misconceptions: condition-scans, check-then-write
# why: attribute_not_exists(customer) means that the customer has nothing yet, so a query says the same.

# %% save-once
def save_once(dynamodb, table, item):
    stored = dynamodb.query(
        TableName=table,
        KeyConditionExpression="customer = :customer",
        ExpressionAttributeValues={":customer": item["customer"]},
    )
    if stored["Count"]:
        return False
    dynamodb.put_item(TableName=table, Item=item)
    return True
