# misconception: once|delete-first
# why: Somebody who remembers orders between runs, and notes each one before it is saved: after a failed save it is skipped.

# %% handler
noted = set()


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    table = os.environ["TABLE_NAME"]

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
        all_good = True
        for key in keys:
            try:
                item = item_of(key)
                if (table, key) in noted:
                    continue
                noted.add((table, key))
                save_once(dynamodb, table, item)
            except Exception:
                all_good = False
        return all_good

    failures = []
    for record in event["Records"]:
        if not save_all(record["body"]):
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
