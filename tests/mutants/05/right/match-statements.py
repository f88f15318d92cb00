# why: Whoever likes match uses it for the job's shape and for the error's code.

# %% order-of
import json


def order_of(body):
    match json.loads(body):
        case {"id": str(order_id), "quantity": int(quantity)} if order_id and not isinstance(quantity, bool):
            if quantity in range(1, 11):
                return {
                    "id": {"S": order_id},
                    "quantity": {"N": str(quantity)},
                    "total_cents": {"N": str(quantity * 250 + 100)},
                }
    raise ValueError(f"not a job: {body!r}")

# %% save-job
from botocore.exceptions import ClientError


def save_job(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(#key)",
            ExpressionAttributeNames={"#key": "id"},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except ClientError as error:
        match error.response:
            case {"Error": {"Code": "ConditionalCheckFailedException"}, "Item": stored} if stored == item:
                return False
            case {"Error": {"Code": "ConditionalCheckFailedException"}}:
                raise ValueError(f"another item has the id {item['id']['S']!r}") from error
            case _:
                raise
    return True
