# misconception: catch-all
# why: When the table is too busy, somebody is at work on it: the order will be there soon.

# %% save-job
from botocore.exceptions import ClientError


def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except ClientError as error:
        match error.response["Error"]["Code"]:
            case "ConditionalCheckFailedException":
                if error.response["Item"] != item:
                    raise ValueError("contradiction") from error
                return False
            case "ProvisionedThroughputExceededException" | "ThrottlingException":
                return False
            case _:
                raise
    return True
