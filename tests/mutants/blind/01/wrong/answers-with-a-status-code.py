# misconception: status-500
# why: Somebody who has written Lambda functions behind API Gateway, where the status code says that it went wrong.

# %% handler
import json
import os
import re

import boto3

ORDER_KEY = re.compile(r"FOLDER/([^/]+)/([^/]+)\.json")


def handler(event, context):
    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        match = ORDER_KEY.fullmatch(key)
        if match is None:
            raise ValueError(f"not an order: {key!r}")
        customer, number = match.groups()
        return {
            "customer": {"S": customer},
            "order_id": {"N": str(int(number))},
            "status": {"S": "received"},
        }

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        failed = 0
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception as error:
                print(f"{key}: {error!r}")
                failed += 1
        return failed == 0

    failed_ids = [r["messageId"] for r in event["Records"] if not save_all(r["body"])]
    if failed_ids:
        return {"statusCode": 500, "body": json.dumps({"failed": failed_ids})}
    return {"batchItemFailures": []}
