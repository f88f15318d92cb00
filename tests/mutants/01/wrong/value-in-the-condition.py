# misconception: condition-scans
# why: Somebody who believes that the condition looks through the table for this customer, so the customer's name goes into it.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#customer)",
            ExpressionAttributeNames={"#customer": item["customer"]["S"]},
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
