# misconception: none
# why: Somebody who made the list outside the function, where a warm environment keeps it for the next run.

# %% handler
import os

import boto3

failures = []


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        good = True
        try:
            keys = order_keys(record["body"])
        except ValueError:
            keys, good = [], False
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                number, ending = os.path.splitext(name)
                if folder != "FOLDER" or ending != ".json":
                    raise ValueError(key)
                item = {
                    "customer": {"S": customer},
                    "order_id": {"N": str(int(number))},
                    "status": {"S": "received"},
                }
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception as error:
                print(repr(error))
                good = False
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
