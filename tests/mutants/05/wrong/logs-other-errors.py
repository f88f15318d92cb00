# misconception: catch-all
# why: Errors belong in the log; who reads the log will see that the table was out of reach.

# %% save-job
import logging

from botocore.exceptions import ClientError


def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#id)",
            ExpressionAttributeNames={"#id": "id"},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except ClientError as error:
        if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
            logging.error("put_item failed: %s", error)
            return False
        if error.response["Item"] != item:
            raise ValueError("different")
        return False
    return True
