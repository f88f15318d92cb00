# why: Many AWS examples catch ClientError and look at its code.

# %% save-job
import botocore.exceptions


def save_job(dynamodb, table, item):
    saved = False
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        saved = True
    except botocore.exceptions.ClientError as error:
        code = error.response["Error"]["Code"]
        if code != "ConditionalCheckFailedException":
            raise
        stored = error.response.get("Item", {})
        if stored != item:
            raise ValueError(f"stored: {stored}, wanted: {item}")
    return saved
