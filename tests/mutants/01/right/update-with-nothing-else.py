# why: UpdateItem with the condition makes the item too, also one that has only its key.

# %% save-once
def save_once(dynamodb, table, item):
    names = {"customer", "order_id"}
    request = {
        "TableName": table,
        "Key": {name: item[name] for name in names if name in item},
        "ConditionExpression": "attribute_not_exists(customer)",
    }
    others = sorted(set(item) - names)
    if others:
        request["UpdateExpression"] = "SET " + ", ".join(f"#{i} = :{i}" for i in range(len(others)))
        request["ExpressionAttributeNames"] = {f"#{i}": name for i, name in enumerate(others)}
        request["ExpressionAttributeValues"] = {f":{i}": item[name] for i, name in enumerate(others)}
    try:
        dynamodb.update_item(**request)
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
