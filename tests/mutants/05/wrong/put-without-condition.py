# misconception: put-inserts
# why: PutItem puts something new in; if the id is taken, it will refuse by itself.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item)
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response.get("Item") == item:
            return False
        raise ValueError("another order has this id")
    return True
