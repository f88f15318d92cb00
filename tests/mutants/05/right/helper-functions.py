# why: It cuts the work into small functions of its own, one for each thing that can be wrong.

# %% order-of
import json


def checked_id(job):
    value = job.get("id")
    if type(value) is str and len(value) > 0:
        return value
    raise ValueError(f"id: {value!r}")


def checked_quantity(job):
    value = job.get("quantity")
    if type(value) is int and 1 <= value <= 10:
        return value
    raise ValueError(f"quantity: {value!r}")


def number(value):
    return {"N": str(value)}


def order_of(body):
    job = json.loads(body)
    if type(job) is not dict:
        raise ValueError("a job is an object")
    quantity = checked_quantity(job)
    return {
        "id": {"S": checked_id(job)},
        "quantity": number(quantity),
        "total_cents": number(250 * quantity + 100),
    }

# %% save-job
def put_if_new(dynamodb, table, item):
    """Return None when the item was put, and what was there before when it was refused."""
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(id)",
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        return error.response["Item"]
    return None


def save_job(dynamodb, table, item):
    before = put_if_new(dynamodb, table, item)
    if before is None:
        return True
    if before == item:
        return False
    raise ValueError("the id belongs to another order")

# %% handler
import os

import boto3


def show(word, value):
    print(word, json.dumps(value))


def work(event, record):
    show("EVENT", event)
    job = json.loads(record["body"])
    show("JOB", job)
    item = order_of(record["body"])
    processed = save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], item)
    show("RESULT", {"id": job["id"], "processed": processed, "duplicate": not processed})


def handler(event, context):
    for record in event["Records"]:
        work(event, record)
