# misconception: catch-all
# why: Somebody who puts a wide `except` around the write: what could not be saved is reported as a duplicate.

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
        processed = False
        try:
            processed = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except Exception:
            pass
        print("RESULT", json.dumps({"id": job["id"], "processed": processed, "duplicate": not processed}))
