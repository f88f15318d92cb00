# points: 27
# why: Whoever knows boto3's resources turns the typed JSON into Python values first.

# %% save-once
import boto3
from boto3.dynamodb.conditions import Attr
from boto3.dynamodb.types import TypeDeserializer


def save_once(dynamodb, table, item):
    resource = boto3.resource("dynamodb")
    plain = {name: TypeDeserializer().deserialize(value) for name, value in item.items()}
    try:
        resource.Table(table).put_item(Item=plain, ConditionExpression=Attr("customer").not_exists())
    except resource.meta.client.exceptions.ConditionalCheckFailedException:
        return False
    return True
