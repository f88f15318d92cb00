# misconception: once|none
# why: Somebody who adds an audit column, sure that each job arrives only once, so that no stored item is ever compared with a later copy.

# %% save-job
from datetime import datetime, timezone


def save_job(dynamodb, table, item):
    row = {**item, "received_at": {"S": datetime.now(timezone.utc).isoformat()}}
    try:
        dynamodb.put_item(
            TableName=table,
            Item=row,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] != row:
            raise ValueError(f"job {item['id']['S']} was stored with other values") from error
        return False
    return True
