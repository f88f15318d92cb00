# misconception: none
# why: Only the same order may be refused, so the condition asks for another quantity; it lets a contradiction through.

# %% save-job
def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id) OR quantity <> :quantity",
            ExpressionAttributeValues={":quantity": item["quantity"]},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        if refused.response["Item"] != item:
            raise ValueError("not the same")
        return False
    return True
