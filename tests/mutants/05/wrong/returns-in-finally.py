# misconception: catch-all
# why: One return at the end, in finally, so that it is always reached: it also swallows whatever was raised.

# %% save-job
def save_job(dynamodb, table, item):
    stored = False
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        stored = True
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] != item:
            raise ValueError("a different order")
    finally:
        return stored
