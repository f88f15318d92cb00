# misconception: catch-all
# why: Somebody who suppresses each error of boto3 around the write, since a repeat raises one.

# %% handler
import contextlib

from botocore.exceptions import ClientError


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def save(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        item = {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}
        with contextlib.suppress(ClientError):
            dynamodb.put_item(
                TableName=os.environ["TABLE_NAME"],
                Item=item,
                ConditionExpression="attribute_not_exists(customer)",
            )

    def bad(record):
        result = False
        try:
            keys = order_keys(record["body"])
        except ValueError:
            return True
        for key in keys:
            try:
                save(key)
            except ValueError:
                result = True
        return result

    return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in event["Records"] if bad(r)]}
