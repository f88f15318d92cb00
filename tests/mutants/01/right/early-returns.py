# why: Each reason to fail returns at once from a small function.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def save(key):
        pieces = key.split("/")
        if len(pieces) != 3:
            return False
        folder, customer, name = pieces
        if folder != "FOLDER":
            return False
        if name[-5:] != ".json":
            return False
        try:
            number = int(name[:-5])
        except ValueError:
            return False
        item = {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}}
        try:
            save_once(dynamodb, os.environ["TABLE_NAME"], item)
        except Exception:
            return False
        return True

    def failed(record):
        try:
            keys = order_keys(record["body"])
        except ValueError:
            return True
        return False in [save(key) for key in keys]

    failures = []
    for record in event["Records"]:
        if failed(record):
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
