# misconception: none
# why: Somebody who prints the dictionary itself and does not notice that single quotes and True are not JSON.

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
        ok = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        result = {"id": job["id"], "processed": ok, "duplicate": not ok}
        print("RESULT", result)
