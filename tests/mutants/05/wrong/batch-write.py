# misconception: put-inserts
# why: A put request in a batch puts a new item; what it could not put comes back as unprocessed.

# %% save-job
def save_job(dynamodb, table, item):
    answer = dynamodb.batch_write_item(RequestItems={table: [{"PutRequest": {"Item": item}}]})
    left_over = answer["UnprocessedItems"].get(table, [])
    if not left_over:
        return True
    if left_over[0]["PutRequest"]["Item"] == item:
        return False
    raise ValueError("a different order is stored")
