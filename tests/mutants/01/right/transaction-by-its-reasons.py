# why: It writes in a transaction and reads from the reasons whether it was the condition that said no.

# %% save-once
from botocore.exceptions import ClientError


def save_once(dynamodb, table, item):
    try:
        dynamodb.transact_write_items(
            TransactItems=[
                {
                    "Put": {
                        "TableName": table,
                        "Item": item,
                        "ConditionExpression": "attribute_not_exists(#key)",
                        "ExpressionAttributeNames": {"#key": "customer"},
                    }
                }
            ]
        )
    except ClientError as error:
        reasons = [reason.get("Code") for reason in error.response.get("CancellationReasons", [])]
        if reasons == ["ConditionalCheckFailed"]:
            return False
        raise
    else:
        return True
