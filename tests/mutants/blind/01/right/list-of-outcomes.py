# why: A functional programmer: every key is tried first, and only then asks `all` how it went.

# %% handler
import os

import boto3


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    table = os.environ["TABLE_NAME"]

    def number_of(name):
        if not name.endswith(".json"):
            raise ValueError(name)
        return int(name.removesuffix(".json"))

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER":
            raise ValueError(key)
        return dict(customer={"S": customer}, order_id={"N": f"{number_of(name)}"}, status={"S": "received"})

    def tried(key):
        try:
            save_once(dynamodb, table, item_of(key))
        except Exception:
            return False
        return True

    def fine(body):
        try:
            keys = order_keys(body)
        except Exception:
            return False
        return all([tried(key) for key in keys])

    return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in event["Records"] if not fine(r["body"])]}
