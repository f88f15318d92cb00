# points: 25
# loses: test-handler-mixed
# why: A message with a bad record is bad as a whole, so nothing of it is stored.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}

    failures = []
    for record in event["Records"]:
        try:
            items = [item_of(key) for key in order_keys(record["body"])]
        except ValueError:
            failures.append({"itemIdentifier": record["messageId"]})
            continue
        for item in items:
            save_once(dynamodb, os.environ["TABLE_NAME"], item)
    return {"batchItemFailures": failures}
