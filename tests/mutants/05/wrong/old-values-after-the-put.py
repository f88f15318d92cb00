# misconception: put-inserts
# why: ReturnValues tells what was there before, so one can still decide afterwards: a put is thought to insert only.

# %% save-job
def save_job(dynamodb, table, item):
    answer = dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")
    before = answer.get("Attributes")
    if before is None:
        return True
    if before == item:
        return False
    raise ValueError(f"{item['id']['S']} is stored with other values")
