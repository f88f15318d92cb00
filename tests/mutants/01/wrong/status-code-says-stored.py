# misconception: put-inserts
# why: Somebody who believes that the answer's status tells whether the item was new.

# %% save-once
def save_once(dynamodb, table, item):
    response = dynamodb.put_item(TableName=table, Item=item)
    if response["ResponseMetadata"]["HTTPStatusCode"] == 200:
        return True
    else:
        return False
