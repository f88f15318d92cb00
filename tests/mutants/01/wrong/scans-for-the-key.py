# misconception: check-then-write
# why: Somebody who looks through the table as through a list, and then writes.

# %% save-once
def save_once(dynamodb, table, item):
    for stored in dynamodb.scan(TableName=table)["Items"]:
        same_customer = stored["customer"] == item["customer"]
        same_number = stored["order_id"] == item["order_id"]
        if same_customer and same_number:
            return False
    dynamodb.put_item(TableName=table, Item=item)
    return True
