# points: 19
# loses: test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice
# why: It takes each record out of the list while it walks through it, so every second one is skipped.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        good = True
        try:
            for key in order_keys(record["body"]):
                try:
                    folder, customer, name = key.split("/")
                    if folder != "FOLDER":
                        raise ValueError(key)
                    number = str(int(name[:-5]))
                    item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                    save_once(dynamodb, os.environ["TABLE_NAME"], item)
                except Exception:
                    good = False
        except ValueError:
            good = False
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
        event["Records"].remove(record)
    return {"batchItemFailures": failures}
