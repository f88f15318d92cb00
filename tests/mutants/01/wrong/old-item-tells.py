# misconception: put-inserts
# why: Somebody who asks for the old item to see whether there was one: by then it is overwritten.

# %% save-once
def save_once(dynamodb, table, item):
    answer = dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")
    return "Attributes" not in answer
