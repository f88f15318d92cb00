# why: A beginner who follows the text line by line.

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
        new = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        result = {"id": job["id"], "processed": new, "duplicate": not new}
        print("RESULT", json.dumps(result))
