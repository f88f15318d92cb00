# why: It looks at the table first to spare a write, and the condition in the write still decides.

# %% save-once
def save_once(dynamodb, table, item):
    def stored():
        key = {name: item[name] for name in ("customer", "order_id") if name in item}
        answer = dynamodb.get_item(TableName=table, Key=key, ProjectionExpression="customer")
        return "Item" in answer

    def put():
        try:
            dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(order_id)")
        except dynamodb.exceptions.ConditionalCheckFailedException:
            return False
        return True

    return not stored() and put()
