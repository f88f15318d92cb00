# misconception: put-inserts
# why: Somebody who believes that a transaction by itself protects what is there.

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.transact_write_items(TransactItems=[{"Put": {"TableName": table, "Item": item}}])
    except dynamodb.exceptions.TransactionCanceledException:
        return False
    return True
