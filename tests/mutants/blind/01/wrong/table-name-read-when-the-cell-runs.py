# misconception: none
# why: Somebody who follows the usual advice for Lambda, everything constant outside the handler, and overlooks "at the moment of the call".

# %% handler
import os

import boto3

ORDERS = os.environ["TABLE_NAME"]
START = "FOLDER"


def handler(event, context):
    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        prefix, customer, filename = key.split("/")
        if prefix != START:
            raise ValueError(f"unknown prefix {prefix!r}")
        stem, _, extension = filename.rpartition(".")
        if extension != "json":
            raise ValueError(f"unknown file type {filename!r}")
        order_id = int(stem)
        return {"customer": {"S": customer}, "order_id": {"N": f"{order_id}"}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                save_once(dynamodb, ORDERS, item_of(key))
            except Exception as error:
                print(repr(error))
                good = False
        return good

    return {
        "batchItemFailures": [
            {"itemIdentifier": record["messageId"]} for record in event["Records"] if not save_all(record["body"])
        ]
    }
