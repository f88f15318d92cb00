# misconception: refused-is-crash
# why: Somebody who thinks a duplicate is an incident that somebody must hear of, so the run fails.

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
        saved = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": saved, "duplicate": not saved}))
        if not saved:
            raise RuntimeError("pedido duplicado: " + job["id"])
