# misconception: check-then-write
# why: It goes through all orders, as through a list in Python, and appends what is not in it.

# %% save-job
def save_job(dynamodb, table, item):
    for stored in dynamodb.scan(TableName=table, ConsistentRead=True)["Items"]:
        if stored["id"] == item["id"]:
            if stored == item:
                return False
            raise ValueError("there is one with this id, and it is different")
    dynamodb.put_item(TableName=table, Item=item)
    return True
