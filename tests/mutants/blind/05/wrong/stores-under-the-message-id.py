# misconception: message-id-key
# why: Somebody who takes the message id for the identity of the job: it is unique, so nothing can be stored twice.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        item["id"] = {"S": record["messageId"]}  # clave única por mensaje
        saved = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": saved, "duplicate": not saved}))
