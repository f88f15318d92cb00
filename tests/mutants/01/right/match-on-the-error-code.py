# why: The code of the error decides, in a match statement.

# %% save-once
from botocore.exceptions import ClientError


def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer) AND attribute_not_exists(order_id)",
        )
    except ClientError as error:
        match error.response:
            case {"Error": {"Code": "ConditionalCheckFailedException"}}:
                return False
            case _:
                raise
    return True
