# misconception: status-500
# why: A bad request is the sender's fault: 400. All other errors are raised.

# %% handler
import json
import os

import boto3


def handler(event, context):
    client = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event, ensure_ascii=False))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job, ensure_ascii=False))
            item = order_of(record["body"])
        except ValueError as error:
            return {"statusCode": 400, "body": json.dumps({"error": str(error)})}
        saved = save_job(client, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": saved, "duplicate": not saved}))
    return {"statusCode": 200, "body": "{}"}
