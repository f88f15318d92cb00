# why: Map and filter do what loops do elsewhere.

# %% order-keys
import json
from operator import itemgetter
from urllib.parse import unquote_plus


def order_keys(body):
    records = json.loads(body).get("Records", [])
    objects = map(itemgetter("object"), map(itemgetter("s3"), records))
    return list(map(unquote_plus, map(itemgetter("key"), objects)))

# %% handler
import os

import boto3


def handler(event, context):
    dynamodb = boto3.client("dynamodb")

    def save(key):
        try:
            start, customer, name = key.split("/")
            number, _, ending = name.rpartition(".")
            if start != "FOLDER" or ending != "json":
                return False
            item = {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}
            save_once(dynamodb, os.environ["TABLE_NAME"], item)
            return True
        except Exception:
            return False

    def failed(record):
        try:
            return not all(list(map(save, order_keys(record["body"]))))
        except ValueError:
            return True

    return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in filter(failed, event["Records"])]}
