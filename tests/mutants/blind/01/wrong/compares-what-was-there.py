# misconception: put-inserts
# why: Somebody who read that `ReturnValues` gives back what was there, and takes it for a sign that nothing was written.

# %% save-once
def save_once(dynamodb, table, item):
    answer = dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")
    # Si ya había un elemento, viene en Attributes.
    return "Attributes" not in answer
