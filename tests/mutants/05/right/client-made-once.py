# why: AWS advises to make the client once, outside the handler, so that runs share its connections.

# %% handler
import json
import os

import boto3

client = boto3.client("dynamodb")


def handler(event, context):
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        stored = save_job(client, os.environ["TABLE_NAME"], item)
        result = {"id": item["id"]["S"], "processed": stored, "duplicate": not stored}
        print("RESULT", json.dumps(result))
    return {"statusCode": 200}
