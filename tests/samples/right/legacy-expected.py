# points: 27
# why: Older books use Expected, the form before condition expressions. It still works.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, Expected={"customer": {"Exists": False}})
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
