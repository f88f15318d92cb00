# misconception: message-id-key
# why: A careful person who wants to trace each order back to its message; a resent job now looks like another order.

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
        item = {**order_of(record["body"]), "message_id": {"S": record["messageId"]}}
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
