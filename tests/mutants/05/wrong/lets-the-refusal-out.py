# misconception: refused-is-crash
# why: An exception means that something went wrong, so it goes out to the caller.

# %% save-job
def save_job(dynamodb, table, item):
    dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
    return True
