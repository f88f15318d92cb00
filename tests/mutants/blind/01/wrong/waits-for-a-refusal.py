# misconception: put-inserts
# why: A Java developer who knows INSERT from SQL: a second row with the same primary key is refused by itself.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item)
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        # duplicate primary key
        return False
