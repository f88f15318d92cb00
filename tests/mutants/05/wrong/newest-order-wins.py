# misconception: order|put-inserts
# why: The queue keeps the order, so what comes later is the customer's correction and takes the place of the first.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] == item:
            return False
    # Sent later, so it is the one that counts.
    dynamodb.put_item(TableName=table, Item=item)
    return True
