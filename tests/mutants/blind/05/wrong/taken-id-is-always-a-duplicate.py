# misconception: refused-is-crash|none
# why: Somebody who over-learned that a refusal is harmless: if the id is taken, the job must be done.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        # ya está hecho
        return False
