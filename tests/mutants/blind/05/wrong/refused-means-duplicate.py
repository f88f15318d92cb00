# misconception: none
# why: Copied from assignment 01, where it was enough: a refusal is a repetition, and nobody compares.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
