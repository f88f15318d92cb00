# misconception: none
# why: Somebody in a hurry who tests the beginning of the key and forgets the slash, so a folder with a longer name passes too.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        if not key.startswith("FOLDER") or not key.endswith(".json"):
            raise ValueError(key)
        _, customer, name = key.split("/")
        return {
            "customer": {"S": customer},
            "order_id": {"N": str(int(name.removesuffix(".json")))},
            "status": {"S": "received"},
        }

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        results = []
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
                results.append(True)
            except Exception:
                results.append(False)
        return all(results)

    failures = []
    for record in event["Records"]:
        if not save_all(record["body"]):
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
