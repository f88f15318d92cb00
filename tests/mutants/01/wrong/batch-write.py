# misconception: put-inserts
# why: Somebody who takes BatchWriteItem for the call that inserts.

# %% save-once
def save_once(dynamodb, table, item):
    request = {"PutRequest": {"Item": item}}
    response = dynamodb.batch_write_item(RequestItems={table: [request]})
    return not response["UnprocessedItems"]
