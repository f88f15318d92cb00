# why: A Java developer with a helper for each kind of line; keys sorted and without spaces.

# %% handler
import json
import os

import boto3


def handler(event, context):
    client = boto3.client("dynamodb")

    def line(word, content):
        print(f"{word} {json.dumps(content, sort_keys=True, separators=(',', ':'))}", flush=True)

    def process(record):
        line("EVENT", event)
        body = record["body"]
        line("JOB", json.loads(body))
        order = order_of(body)
        stored = save_job(client, os.environ["TABLE_NAME"], order)
        line("RESULT", {"id": order["id"]["S"], "processed": bool(stored), "duplicate": not stored})

    for record in event["Records"]:
        process(record)
    return {"ok": True}
