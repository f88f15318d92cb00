# misconception: message-id-key
# why: Somebody who uses the warm container's memory: this message id was here, so this job was here.

# %% handler
import json
import os

import boto3

messages_seen = {}


def handler(event, context):
    client = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        print("JOB", json.dumps(json.loads(record["body"])))
        item = order_of(record["body"])
        first_time = record["messageId"] not in messages_seen
        messages_seen[record["messageId"]] = True
        if first_time:
            first_time = save_job(client, os.environ["TABLE_NAME"], item)
        result = {"id": item["id"]["S"], "processed": first_time, "duplicate": not first_time}
        print("RESULT", json.dumps(result))
