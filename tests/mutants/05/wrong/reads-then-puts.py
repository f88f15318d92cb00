# misconception: check-then-write
# why: First look whether the order is there, then write it: that is how one would say it.

# %% save-job
def save_job(dynamodb, table, item):
    found = dynamodb.get_item(TableName=table, Key={"id": item["id"]}).get("Item")
    if found is None:
        dynamodb.put_item(TableName=table, Item=item)
        return True
    if found != item:
        raise ValueError("another order is stored under this id")
    return False
