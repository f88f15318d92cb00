# why: Somebody who saves money: look first, but the write keeps its own condition, so nothing depends on the look.

# %% save-once
def save_once(dynamodb, table, item):
    key = {name: item[name] for name in ("customer", "order_id")}
    if "Item" in dynamodb.get_item(TableName=table, Key=key):
        return False  # una lectura cuesta menos que una escritura rechazada
    try:
        # entre la lectura y esta línea puede escribir otro: por eso la condición
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True
