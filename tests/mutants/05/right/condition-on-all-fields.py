# why: A new order has none of the three attributes; whatever is stored has the id, so the condition refuses it too.

# %% save-job
def save_job(dynamodb, table, item):
    names = {f"#n{number}": name for number, name in enumerate(item)}
    try:
        dynamodb.put_item(
            TableName=table,
            Item=dict(item),
            ConditionExpression=" AND ".join(f"attribute_not_exists({place})" for place in names),
            ExpressionAttributeNames=names,
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        equal = json.dumps(error.response["Item"], sort_keys=True) == json.dumps(item, sort_keys=True)
        if not equal:
            raise ValueError("the stored item differs")
        return False
