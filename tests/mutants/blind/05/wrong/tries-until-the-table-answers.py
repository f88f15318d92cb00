# misconception: catch-all|none
# why: Somebody who takes every error of the write for a passing one and tries again in place, without an end.

# %% handler
import json
import os

import boto3


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        while True:
            try:
                is_new = save_job(dynamodb, os.environ["TABLE_NAME"], item)
                break
            except ValueError:
                raise  # contradiction: no retry helps
            except Exception:
                continue  # throttled or so, once more
        print("RESULT", json.dumps({"id": job["id"], "processed": is_new, "duplicate": not is_new}))
