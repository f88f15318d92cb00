# misconception: refused-is-crash
# why: A careful person for whom a refused write is a failed write, whatever is stored.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        raise ValueError(f"ya existe: {refused.response['Item']}") from refused
    return True
