"""A right answer to lab 05. It stands here, and nowhere that a student gets."""

import json
import os

import boto3

TABLE = os.environ["ORDERS_TABLE"]
dynamodb = boto3.client("dynamodb")


def handler(event, context):
    print("EVENT", json.dumps(event))
    for record in event["Records"]:
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = wanted(job)
        key = item["id"]["S"]
        duplicate = False
        try:
            dynamodb.put_item(
                TableName=TABLE,
                Item=item,
                ConditionExpression="attribute_not_exists(id)",
                ReturnValuesOnConditionCheckFailure="ALL_OLD",
            )
        except dynamodb.exceptions.ConditionalCheckFailedException as error:
            if error.response["Item"] != item:
                raise
            duplicate = True
        print("RESULT", json.dumps({"id": key, "processed": not duplicate, "duplicate": duplicate}))


def wanted(job):
    quantity = job["quantity"]
    if not isinstance(job["id"], str) or not job["id"]:
        raise ValueError("id")
    if not isinstance(quantity, int) or isinstance(quantity, bool) or not 1 <= quantity <= 10:
        raise ValueError(f"quantity {quantity!r}")
    total = 250 * quantity + 100
    return {"id": {"S": job["id"]}, "quantity": {"N": str(quantity)}, "total_cents": {"N": str(total)}}
