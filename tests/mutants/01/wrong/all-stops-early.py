# misconception: none
# why: Somebody who puts all around a generator: it stops at the first bad key, and the good ones after it are not saved.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def saved(key):
        try:
            prefix, customer, name = key.split("/")
            number, dot, ending = name.rpartition(".")
            if prefix != "FOLDER" or ending != "json":
                return False
            item = {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}
            save_once(dynamodb, os.environ["TABLE_NAME"], item)
        except Exception:
            return False
        return True

    def save_all(body):
        try:
            return all(saved(key) for key in order_keys(body))
        except ValueError:
            return False

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
