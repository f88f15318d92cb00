# points: 25
# loses: test-handler-mixed
# why: Each bad record is noted, so a message with two of them is there twice.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        try:
            keys = order_keys(record["body"])
        except ValueError:
            failures.append({"itemIdentifier": record["messageId"]})
            continue
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                if folder != "FOLDER":
                    raise ValueError(key)
                number = str(int(name[:-5]))
                item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception:
                failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
