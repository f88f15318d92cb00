# points: 27
# why: UpdateItem creates an item too, and its condition is the same.

# %% save-once
def save_once(dynamodb, table, item):
    key = {"customer": item["customer"], "order_id": item["order_id"]}
    rest = {name: value for name, value in item.items() if name not in key}
    try:
        dynamodb.update_item(
            TableName=table,
            Key=key,
            UpdateExpression="SET " + ", ".join(f"#n{n} = :v{n}" for n in range(len(rest))),
            ConditionExpression="attribute_not_exists(customer) AND attribute_not_exists(order_id)",
            ExpressionAttributeNames={f"#n{n}": name for n, name in enumerate(rest)},
            ExpressionAttributeValues={f":v{n}": value for n, value in enumerate(rest.values())},
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
