# why: A class knows how to read a key and how to become an item.

# %% handler
import os
from dataclasses import dataclass

import boto3


@dataclass
class Order:
    customer: str
    number: int

    @classmethod
    def from_key(cls, key):
        if not key.startswith("PREFIX") or not key.endswith(".json"):
            raise ValueError(key)
        parts = key.removesuffix(".json").split("/")
        if len(parts) != 3:
            raise ValueError(key)
        return cls(parts[1], int(parts[2]))

    def item(self):
        return {
            "customer": {"S": self.customer},
            "order_id": {"N": str(self.number)},
            "status": {"S": "received"},
        }


def handler(event, context):
    client = boto3.client("dynamodb")
    table = os.environ["TABLE_NAME"]
    failed = []
    for record in event["Records"]:
        errors = 0
        try:
            keys = order_keys(record["body"])
        except ValueError:
            keys = []
            errors = 1
        for key in keys:
            try:
                save_once(client, table, Order.from_key(key).item())
            except Exception:
                errors += 1
        if errors:
            failed.append(record["messageId"])
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}
