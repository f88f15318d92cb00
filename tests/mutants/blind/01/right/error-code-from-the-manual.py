# why: Somebody who follows the boto3 manual: catch `ClientError`, look at the code, raise the rest again.

# %% save-once
def save_once(dynamodb, table, item):
    from botocore.exceptions import ClientError

    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#c) AND attribute_not_exists(#o)",
            ExpressionAttributeNames={"#c": "customer", "#o": "order_id"},
        )
    except ClientError as err:
        if err.response["Error"]["Code"] != "ConditionalCheckFailedException":
            raise
        return False
    else:
        return True
