# misconception: put-inserts|check-then-write
# why: Somebody who writes without a condition, sees in the answer what was there, and repairs it with a second put.

# %% save-job
def save_job(dynamodb, table, item):
    response = dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")
    old = response.get("Attributes")
    if not old:
        return True
    if old == item:
        return False
    # rollback
    dynamodb.put_item(TableName=table, Item=old)
    raise ValueError("conflict: " + item["id"]["S"])
