# misconception: catch-all
# why: The refusal came as a ClientError, so every ClientError is taken for a refusal with another item.

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
        return True
    except ClientError as error:
        if error.response.get("Item") == item:
            return False
        raise ValueError("a different item is stored under that id")
