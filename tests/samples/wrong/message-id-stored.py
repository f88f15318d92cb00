# points: 18
# loses: test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice, test-prediction-items
# misconceptions: message-id-key
# why: The id of the message becomes the number of the order, since no two are equal.

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
                if not key.startswith("PREFIX"):
                    good = False
                    continue
                customer = key.split("/")[1]
                number = record["messageId"].replace("m-", "")
                item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
        except Exception:
            good = False
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}

# %% prediction-items
prediction_items = 4
