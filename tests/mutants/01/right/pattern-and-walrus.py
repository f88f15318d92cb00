# why: A pattern finds customer and number, and int has the last word on the number.

# %% handler
import os
import re

import boto3


def handler(event, context):
    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        if not (found := re.fullmatch(r"FOLDER/([^/]*)/([^/]*)\.json", key)):
            raise ValueError("not the key of an order: " + key)
        customer, number = found.groups()
        return {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}

    def is_bad(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return True
        bad = 0
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception:
                bad += 1
        return bad > 0

    return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in event["Records"] if is_bad(r["body"])]}
