# misconception: none
# why: In module 01 a refused write meant that the work was done, and nobody looked at what is stored.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
