# points: 27
# why: A regular expression says in one line what an order's key looks like.

# %% handler
def handler(event, context):
    import os
    import re

    import boto3

    dynamodb = boto3.client("dynamodb")
    pattern = re.compile(r"PREFIX(?P<customer>[^/]+)/(?P<number>\d+)\.json")

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        orders = [pattern.fullmatch(key) for key in keys]
        for order in filter(None, orders):
            item = {
                "customer": {"S": order["customer"]},
                "order_id": {"N": order["number"]},
                "status": {"S": "received"},
            }
            save_once(dynamodb, os.environ["TABLE_NAME"], item)
        return None not in orders

    failed = [record["messageId"] for record in event["Records"] if not save_all(record["body"])]
    return {"batchItemFailures": [{"itemIdentifier": message_id} for message_id in failed]}
