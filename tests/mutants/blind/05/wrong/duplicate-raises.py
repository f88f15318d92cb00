# misconception: refused-is-crash
# why: A Java developer for whom a duplicate is an exceptional state that the caller has to hear about.

# %% handler
import json
import os

import boto3


class DuplicateJobException(RuntimeError):
    pass


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        processed = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": processed, "duplicate": not processed}))
        if not processed:
            raise DuplicateJobException(job["id"])
