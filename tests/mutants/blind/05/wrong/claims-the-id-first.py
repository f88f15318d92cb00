# misconception: exactly-once
# why: Somebody who overengineers: whoever gets the claim does the job, once; a crash after the claim was not thought of.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        # primero reservo el id; solo una ejecución puede lograrlo
        dynamodb.put_item(
            TableName=table,
            Item={"id": item["id"]},
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        if refused.response["Item"] in (item, {"id": item["id"]}):
            return False
        raise ValueError("contradicción")
    # y ahora, exactamente una vez, el pedido completo
    dynamodb.put_item(TableName=table, Item=item)
    return True
