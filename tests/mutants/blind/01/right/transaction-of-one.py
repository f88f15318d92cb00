# why: Somebody who overengineers: a transaction with a single put; only a failed condition counts as "already there".

# %% save-once
def save_once(dynamodb, table, item):
    put = {"TableName": table, "Item": item, "ConditionExpression": "attribute_not_exists(customer)"}
    try:
        dynamodb.transact_write_items(TransactItems=[{"Put": put}])
        return True
    except dynamodb.exceptions.TransactionCanceledException as error:
        reasons = error.response.get("CancellationReasons", [])
        if [reason.get("Code") for reason in reasons] == ["ConditionalCheckFailed"]:
            return False
        raise
