# points: 27
# why: A transaction with one conditional write, as in AWS's examples for orders.

# %% save-once
def save_once(dynamodb, table, item):
    put = {"TableName": table, "Item": item, "ConditionExpression": "attribute_not_exists(customer)"}
    try:
        dynamodb.transact_write_items(TransactItems=[{"Put": put}])
    except dynamodb.exceptions.TransactionCanceledException as error:
        if error.response["CancellationReasons"][0]["Code"] != "ConditionalCheckFailed":
            raise
        return False
    return True
