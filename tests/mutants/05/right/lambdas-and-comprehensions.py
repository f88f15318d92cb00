# why: Short functions, and a list of rules that a job must keep.

# %% order-of
import json

RULES = [
    lambda job: isinstance(job, dict),
    lambda job: isinstance(job.get("id"), str),
    lambda job: len(job["id"]) >= 1,
    lambda job: isinstance(job.get("quantity"), int),
    lambda job: not isinstance(job["quantity"], bool),
    lambda job: 1 <= job["quantity"] <= 10,
]


def order_of(body):
    job = json.loads(body)
    if not all(rule(job) for rule in RULES):
        raise ValueError(job)
    numbers = [("quantity", job["quantity"]), ("total_cents", 250 * job["quantity"] + 100)]
    return dict(id=dict(S=job["id"])) | {name: dict(N=repr(value)) for name, value in numbers}

# %% handler
import os

import boto3

tell = lambda word, value: print(word, json.dumps(value))


def handler(event, context):
    save = lambda body: save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], order_of(body))

    def each(record):
        tell("EVENT", event)
        tell("JOB", json.loads(record["body"]))
        stored = save(record["body"])
        tell("RESULT", {"id": json.loads(record["body"])["id"], "processed": stored, "duplicate": not stored})

    return [each(record) for record in event["Records"]]
