# points: 21
# loses: test-handler-bad-keys, test-handler-mixed, test-handler-twice
# misconceptions: only-bad-returns
# why: The exception of one message brings back that message; the others were fine.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        for key in order_keys(record["body"]):
            folder, customer, name = key.split("/")
            if folder != "FOLDER":
                raise ValueError(key)
            number = str(int(name[:-5]))
            item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
            save_once(dynamodb, os.environ["TABLE_NAME"], item)
    return {"batchItemFailures": []}
