# misconception: put-inserts
# why: Somebody who thinks that a put of an existing key leaves the item alone, and that ALL_OLD only tells that it was there.

# %% save-once
def save_once(dynamodb, table, item):
    # Si ya existía, la respuesta trae "Attributes" con el elemento que había
    response = dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")
    already_there = bool(response.get("Attributes"))
    return not already_there
