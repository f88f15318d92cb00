# misconception: partial-not-on
# why: Somebody who goes on as in assignment 01: name the message in the list and it stays.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        try:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            item = order_of(record["body"])
            saved = save_job(dynamodb, os.environ["TABLE_NAME"], item)
            print("RESULT", json.dumps({"id": item["id"]["S"], "processed": saved, "duplicate": not saved}))
        except Exception as error:
            print(repr(error))
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
