# misconception: order
# why: Somebody who keeps the order that a standard queue does not have: after the first failure the rest is left untouched.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        prefix, customer, name = key.split("/")
        if prefix != "FOLDER" or not name.endswith(".json"):
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except Exception:
                good = False
        return good

    records = event["Records"]
    for position, record in enumerate(records):
        if not save_all(record["body"]):
            rest = records[position:]
            return {"batchItemFailures": [{"itemIdentifier": r["messageId"]} for r in rest]}
    return {"batchItemFailures": []}
