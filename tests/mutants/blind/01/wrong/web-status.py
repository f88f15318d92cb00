# misconception: status-500
# why: Somebody whose Lambdas always stood behind API Gateway: an error is a status code.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failed = []

    for record in event["Records"]:
        try:
            keys = order_keys(record["body"])
        except ValueError:
            failed.append(record["messageId"])
            continue
        ok = True
        for key in keys:
            try:
                prefix, customer, name = key.split("/")
                number, _, ending = name.rpartition(".")
                if prefix != "FOLDER" or ending != "json":
                    raise ValueError(key)
                item = {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception:
                ok = False
        if not ok:
            failed.append(record["messageId"])

    if failed:
        return {"statusCode": 500, "body": json.dumps({"failed": failed})}
    return {"statusCode": 200, "body": json.dumps({"failed": []})}
