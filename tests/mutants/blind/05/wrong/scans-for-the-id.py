# misconception: condition-scans|check-then-write
# why: Somebody who thinks `attribute_not_exists(id)` would refuse everything once any item has an id, and looks for this one.

# %% save-job
def save_job(dynamodb, table, item):
    # attribute_not_exists(id) mira la tabla entera, y siempre hay algún id: no me vale
    pages = dynamodb.get_paginator("scan").paginate(
        TableName=table,
        FilterExpression="id = :id",
        ExpressionAttributeValues={":id": item["id"]},
        ConsistentRead=True,
    )
    same_id = [row for page in pages for row in page["Items"]]
    if not same_id:
        dynamodb.put_item(TableName=table, Item=item)
        return True
    if same_id[0] == item:
        return False
    raise ValueError("id repetido con otros datos")
