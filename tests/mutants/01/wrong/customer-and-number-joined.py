# misconception: condition-scans
# why: Somebody who fears that the condition refuses a customer's second order, and makes a customer of each order.

# %% save-once
def save_once(dynamodb, table, item):
    unique = item["customer"]["S"] + "#" + item["order_id"]["N"]
    try:
        dynamodb.put_item(
            TableName=table,
            Item={**item, "customer": {"S": unique}},
            ConditionExpression="attribute_not_exists(customer)",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
