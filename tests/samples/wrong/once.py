# points: 25
# loses: test-handler-twice
# misconceptions: once
# why: Each message comes once, so the handler need not look whether the order is there.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        good = True
        try:
            keys = order_keys(record["body"])
        except ValueError:
            keys, good = [], False
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                if folder != "FOLDER":
                    raise ValueError(key)
                number = int(name.removesuffix(".json"))
            except ValueError:
                good = False
                continue
            item = {"customer": {"S": customer}, "order_id": {"N": str(number)}, "status": {"S": "received"}}
            dynamodb.put_item(TableName=os.environ["TABLE_NAME"], Item=item)
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
