# misconception: refused-is-crash
# why: A refused write means that the id is taken, and a taken id is an error of whoever sent the job.

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
        raise ValueError(f"the id is taken by {error.response['Item']}")
    return True
