# misconception: none
# why: For a duplicate there is nothing to do, so the function ends there without saying False.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] == item:
            return
        raise ValueError("contradiction")
    return True
