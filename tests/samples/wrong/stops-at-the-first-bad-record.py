# points: 25
# loses: test-handler-mixed
# why: One try around the loop over the records: the good one after the bad one is never reached.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        try:
            for key in order_keys(record["body"]):
                folder, customer, name = key.split("/")
                if folder != "FOLDER":
                    raise ValueError(key)
                number = str(int(name[:-5]))
                item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
        except Exception:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
