# why: Whoever knows boto3's resources puts Python values through a Table; the refusal's item stays in typed JSON.

# %% save-job
import boto3
from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import TypeDeserializer


def save_job(dynamodb, table, item):
    orders = boto3.resource("dynamodb").Table(table)
    deserialize = TypeDeserializer().deserialize
    try:
        orders.put_item(
            Item={name: deserialize(value) for name, value in item.items()},
            ConditionExpression=Attr("id").not_exists(),
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except orders.meta.client.exceptions.ConditionalCheckFailedException as error:
        if error.response["Item"] == item:
            return False
        raise ValueError("a different order is stored")
    return True
