# points: 23
# loses: test-handler-bad-keys, test-handler-mixed
# why: That the word stands somewhere in the key seemed enough.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        if "PREFIX" not in key:
            raise ValueError(key)
        _, customer, name = key.split("/")
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

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
