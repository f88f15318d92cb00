# misconception: order|put-inserts
# why: Somebody who trusts the queue's order: what comes later corrects what came before.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        # llegan en orden: si la cantidad cambió, la buena es la última
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id) OR quantity <> :q",
            ExpressionAttributeValues={":q": item["quantity"]},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        if refused.response["Item"] == item:
            return False
        raise ValueError(item["id"]["S"])
