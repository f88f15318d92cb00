# misconception: put-inserts
# why: Somebody who found `ReturnValues="ALL_OLD"` and compares what was there when it has already been replaced.

# %% save-job
def save_job(dynamodb, table, item):
    response = dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")
    old = response.get("Attributes")
    if old is None:
        return True
    if old == item:
        return False
    raise ValueError(f"ya había otro: {old}")
