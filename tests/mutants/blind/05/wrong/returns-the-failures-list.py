# misconception: partial-not-on
# why: Somebody who carries the pattern of assignment 01 over, without looking whether the mapping asks for it.

# %% handler
import json
import os

import boto3


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            is_new = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
            print("RESULT", json.dumps({"id": job["id"], "processed": is_new, "duplicate": not is_new}))
        except Exception as error:
            print("ERROR", repr(error))
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
