# points: 24
# loses: test-save-once-other-errors, test-handler-mixed
# misconceptions: catch-all
# why: ClientError is the error that the refusal came as.

# %% save-once
from botocore.exceptions import ClientError


def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except ClientError:
        return False
    return True
