# misconception: catch-all
# why: Somebody who takes a throttled write for a sign that another program is writing the same order.

# %% save-once
from botocore.exceptions import ClientError


def save_once(dynamodb, table, item):
    taken = (
        "ConditionalCheckFailedException",
        "ProvisionedThroughputExceededException",
        "ThrottlingException",
        "RequestLimitExceeded",
    )
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except ClientError as error:
        if error.response["Error"]["Code"] in taken:
            return False
        raise
    return True
