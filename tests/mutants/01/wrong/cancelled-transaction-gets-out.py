# misconception: refused-is-crash
# why: Somebody who writes in a transaction, where a refusal comes under another name, and lets it end the program.

# %% save-once
def save_once(dynamodb, table, item):
    put = {
        "TableName": table,
        "Item": item,
        "ConditionExpression": "attribute_not_exists(customer)",
    }
    try:
        dynamodb.transact_write_items(TransactItems=[{"Put": put}])
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
