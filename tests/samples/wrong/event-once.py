# points: 25
# loses: test-handler-twice
# misconceptions: event-once
# why: S3 announces an upload once, so an order that is there already must be somebody's mistake: a failure.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER":
            raise ValueError(key)
        number = int(name.removesuffix(".json"))
        return {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}}

    def save_all(body):
        good = True
        try:
            for key in order_keys(body):
                try:
                    if not save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key)):
                        good = False
                except ValueError:
                    good = False
        except ValueError:
            good = False
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
