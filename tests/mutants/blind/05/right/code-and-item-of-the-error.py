# why: Somebody who follows the boto3 manual: `ClientError`, its code, and the item that comes with it.

# %% save-job
def save_job(dynamodb, table, item):
    from botocore.exceptions import ClientError

    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#id)",
            ExpressionAttributeNames={"#id": "id"},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            if error.response.get("Item") == item:
                return False
            raise ValueError("hay otro pedido con ese id") from error
        raise
    return True
