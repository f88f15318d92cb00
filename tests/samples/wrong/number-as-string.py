# points: 19
# loses: test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice
# misconceptions: number-is-number
# why: The number is text, so it gets the type of a text.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"S": name[:-5]}, "status": {"S": "received"}}

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
        if not save_all(record["body"]):
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
