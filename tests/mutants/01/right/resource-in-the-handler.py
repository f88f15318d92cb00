# why: Whoever likes the table resource writes plain values with it, and the condition all the same.

# %% handler
import os

import boto3
from boto3.dynamodb.conditions import Attr
from botocore.exceptions import ClientError


def handler(event, context):
    table = boto3.resource("dynamodb").Table(os.environ["TABLE_NAME"])
    new = Attr("customer").not_exists() & Attr("order_id").not_exists()

    def save(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        order = {"customer": customer, "order_id": int(name[:-5]), "status": "received"}
        try:
            table.put_item(Item=order, ConditionExpression=new)
        except ClientError as error:
            if error.response["Error"]["Code"] != "ConditionalCheckFailedException":
                raise
            print("already there:", key)

    failures = []
    for record in event["Records"]:
        problems = []
        try:
            for key in order_keys(record["body"]):
                try:
                    save(key)
                except Exception as error:
                    problems.append((key, error))
        except ValueError as error:
            problems.append((None, error))
        if problems:
            print(problems)
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
