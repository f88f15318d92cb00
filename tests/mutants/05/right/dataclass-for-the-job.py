# why: A dataclass holds the job, checks itself and knows its price.

# %% order-of
import json
from dataclasses import dataclass


@dataclass(frozen=True)
class Job:
    id: str
    quantity: int

    def __post_init__(self):
        if not isinstance(self.id, str) or not self.id:
            raise ValueError("id must be a non-empty text")
        if type(self.quantity) is not int or not 1 <= self.quantity <= 10:
            raise ValueError("quantity must be an integer from 1 to 10")

    @property
    def total_cents(self):
        return 250 * self.quantity + 100

    def item(self):
        return {
            "id": {"S": self.id},
            "quantity": {"N": str(self.quantity)},
            "total_cents": {"N": str(self.total_cents)},
        }


def order_of(body):
    fields = json.loads(body)
    if not isinstance(fields, dict):
        raise ValueError("the body is no object")
    return Job(fields.get("id"), fields.get("quantity")).item()

# %% handler
import os
from dataclasses import asdict

import boto3


@dataclass
class Result:
    id: str
    processed: bool
    duplicate: bool


def handler(event, context):
    client = boto3.client("dynamodb")
    results = []
    for record in event["Records"]:
        print(f"EVENT {json.dumps(event)}")
        job = json.loads(record["body"])
        print(f"JOB {json.dumps(job)}")
        stored = save_job(client, os.environ["TABLE_NAME"], order_of(record["body"]))
        result = Result(job["id"], processed=stored, duplicate=not stored)
        print(f"RESULT {json.dumps(asdict(result))}")
        results.append(asdict(result))
    return results
