# why: It reads all bodies first, then saves item by item, and lists what failed in the order of arrival.

# %% handler
import os

import boto3


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    bad = set()
    todo = []
    for record in event["Records"]:
        try:
            todo += [(record["messageId"], key) for key in order_keys(record["body"])]
        except ValueError:
            bad.add(record["messageId"])
    for message_id, key in todo:
        try:
            folder, customer, name = key.split("/")
            if folder != "FOLDER" or not name.endswith(".json"):
                raise ValueError(key)
            number = int(name.removesuffix(".json"))
            item = {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}}
            save_once(dynamodb, os.environ["TABLE_NAME"], item)
        except Exception:
            bad.add(message_id)
    in_order = [record["messageId"] for record in event["Records"] if record["messageId"] in bad]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in in_order]}
