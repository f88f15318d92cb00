# misconception: condition-scans|put-inserts
# why: Somebody who fears that attribute_not_exists(customer) refuses the customer's second order, and opens a door for it.

# %% save-once
def save_once(dynamodb, table, item):
    # attribute_not_exists(customer) solo dejaría un pedido por cliente,
    # por eso se admite también cuando el cliente es el mismo.
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer) OR customer = :customer",
            ExpressionAttributeValues={":customer": item["customer"]},
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
