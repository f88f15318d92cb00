# misconception: test-event
# why: Somebody who knows the test event, and believes that it comes alone: the rest of the batch is never looked at.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        if "s3:TestEvent" in record["body"]:
            return {"batchItemFailures": []}
        good = True
        try:
            keys = order_keys(record["body"])
        except ValueError:
            good = False
            keys = []
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                if folder != "FOLDER" or not name.endswith(".json"):
                    raise ValueError(key)
                number = str(int(name[: -len(".json")]))
                item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception:
                good = False
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
