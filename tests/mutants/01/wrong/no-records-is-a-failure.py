# misconception: test-event
# why: Somebody who reads the body here: whatever has no Records raises KeyError, and so it counts as failed.

# %% handler
def handler(event, context):
    import json
    import os
    from urllib.parse import unquote_plus

    import boto3

    client = boto3.client("dynamodb")

    def store(key):
        folder, customer, name = key.split("/")
        number, ending = os.path.splitext(name)
        if folder != "FOLDER" or ending != ".json":
            raise ValueError(key)
        order = {"customer": {"S": customer}, "order_id": {"N": str(int(number))}, "status": {"S": "received"}}
        save_once(client, os.environ["TABLE_NAME"], order)

    failures = []
    for message in event["Records"]:
        problems = 0
        try:
            for entry in json.loads(message["body"])["Records"]:
                try:
                    store(unquote_plus(entry["s3"]["object"]["key"]))
                except Exception:
                    problems += 1
        except Exception:
            problems += 1
        if problems:
            failures.append({"itemIdentifier": message["messageId"]})
    return {"batchItemFailures": failures}
