# misconception: condition-scans|put-inserts
# why: Somebody who believes that the condition looks through the table: if what comes back differs, it was some other order, so write again without it.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] == item:
            return False
        # La condición encontró otro pedido de la tabla, no el nuestro: se puede guardar.
        dynamodb.put_item(TableName=table, Item=item)
    return True
