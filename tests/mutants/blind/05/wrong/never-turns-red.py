# misconception: catch-all
# why: A careful tester who wants the function never to fail: every error goes to the log, and the run ends well.

# %% handler
def handler(event, context):
    import json
    import os
    import traceback

    import boto3

    try:
        dynamodb = boto3.client("dynamodb")
        for record in event["Records"]:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
            print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
    except Exception:
        traceback.print_exc()
