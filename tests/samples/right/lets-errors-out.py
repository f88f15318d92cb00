# points: 27
# why: An error of the table fails the whole run, so that Lambda keeps the batch: also a way to lose nothing.

# %% order-keys
import json
from urllib.parse import unquote_plus


def order_keys(body):
    try:
        message = json.loads(body)
    except json.JSONDecodeError as error:
        raise ValueError(f"This body is no JSON: {body!r}") from error
    if "Records" not in message:
        return []
    return list(map(unquote_plus, [record["s3"]["object"]["key"] for record in message["Records"]]))

# %% handler
import os

import boto3


def handler(event, context):
    failures = []
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        failed = False
        try:
            keys = order_keys(record["body"])
        except ValueError:
            keys, failed = [], True
        for key in keys:
            parts = key.split("/")
            number = parts[-1][: -len(".json")]
            if len(parts) == 3 and key.startswith("PREFIX") and key.endswith(".json") and number.isdigit():
                item = {"customer": {"S": parts[1]}, "order_id": {"N": number}, "status": {"S": "received"}}
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            else:
                failed = True
        if failed:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
