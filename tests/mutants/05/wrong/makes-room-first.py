# misconception: refused-is-crash|put-inserts
# why: A refusal would be an error, so whatever an earlier run left under the id is removed before the write.

# %% save-job
def save_job(dynamodb, table, item):
    dynamodb.delete_item(TableName=table, Key={"id": item["id"]})
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] != item:
            raise ValueError("different")
        return False
    return True
