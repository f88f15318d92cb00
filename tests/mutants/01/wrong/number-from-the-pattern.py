# misconception: number-is-number
# why: Somebody who turns the digits into a number, because N wants one: boto3 refuses it.

# %% handler
import re


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    order = re.compile(r"FOLDER/([^/]+)/(-?\d+)\.json")

    def save(key):
        match = order.fullmatch(key)
        if match is None:
            raise ValueError(key)
        customer, number = match.group(1), int(match.group(2))
        item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
        return save_once(dynamodb, os.environ["TABLE_NAME"], item)

    def failed(record):
        problem = False
        try:
            keys = order_keys(record["body"])
        except ValueError:
            return True
        for key in keys:
            try:
                save(key)
            except Exception as error:
                print(repr(error))
                problem = True
        return problem

    return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in event["Records"] if failed(r)]}
