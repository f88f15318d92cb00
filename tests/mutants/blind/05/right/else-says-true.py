# why: A careful tester with the four outcomes in sight.

# %% save-job
def save_job(dynamodb, table, item):
    request = dict(TableName=table, Item=item, ConditionExpression="attribute_not_exists(id)")
    request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    try:
        dynamodb.put_item(**request)
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        stored = refused.response["Item"]
        if stored != item:
            raise ValueError(f"guardado: {stored}; recibido: {item}") from None
        return False
    else:
        return True
