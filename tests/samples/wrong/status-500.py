# points: 21
# loses: test-handler-bad-keys, test-handler-mixed, test-handler-twice
# misconceptions: status-500
# why: A function tells of an error with a status code, as on the web.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    errors = 0
    for record in event["Records"]:
        try:
            for key in order_keys(record["body"]):
                try:
                    folder, customer, name = key.split("/")
                    if folder != "FOLDER":
                        raise ValueError(key)
                    number = str(int(name[:-5]))
                    item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                    save_once(dynamodb, os.environ["TABLE_NAME"], item)
                except ValueError:
                    errors += 1
        except ValueError:
            errors += 1
    if errors:
        return {"statusCode": 500}
    return {"batchItemFailures": []}
