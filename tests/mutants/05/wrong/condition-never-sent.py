# misconception: put-inserts
# why: The condition is kept for the second try; the first put is believed to fail when the id is there.

# %% save-job
from botocore.exceptions import ClientError


def save_job(dynamodb, table, item):
    request = {"TableName": table, "Item": item}
    try:
        dynamodb.put_item(**request)
        return True
    except ClientError:
        request["ConditionExpression"] = "attribute_not_exists(id)"
        request["ReturnValuesOnConditionCheckFailure"] = "ALL_OLD"
    try:
        dynamodb.put_item(**request)
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException as refused:
        if refused.response["Item"] != item:
            raise ValueError("different")
        return False
