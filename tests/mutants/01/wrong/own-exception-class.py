# misconception: catch-all
# why: Somebody who makes one error of all errors, so that the caller need not know boto3.

# %% save-once
from botocore.exceptions import ClientError


class SaveError(Exception):
    pass


def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
        return True
    except ClientError as error:
        if error.response["Error"]["Code"] == "ConditionalCheckFailedException":
            return False
        raise SaveError(table) from error
