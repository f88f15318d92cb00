# misconception: refused-is-crash|none
# why: Tired at midnight; compares the item that the error brings, but never asked DynamoDB to bring it.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
    except dynamodb.exceptions.ConditionalCheckFailedException as e:
        if e.response.get("Item") == item:
            return False
        raise ValueError("pedido distinto")
    return True
