# misconception: catch-all
# why: Somebody who took ClientError from a blog post and did not look at which error it is.

# %% save-once
from botocore.exceptions import ClientError


def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer) AND attribute_not_exists(order_id)",
        )
        return True
    except ClientError as e:
        print("ya estaba:", e.response["Error"]["Code"])
        return False
