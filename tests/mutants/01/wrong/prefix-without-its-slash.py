# misconception: none
# why: Somebody who compares the beginning without the slash, so a folder with a longer name passes too.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        if not key.startswith("FOLDER") or not key.endswith(".json"):
            raise ValueError("not an order: " + key)
        parts = key[:-5].split("/")
        if len(parts) != 3:
            raise ValueError("not an order: " + key)
        return {"customer": {"S": parts[1]}, "order_id": {"N": str(int(parts[2]))}, "status": {"S": "received"}}

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

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
