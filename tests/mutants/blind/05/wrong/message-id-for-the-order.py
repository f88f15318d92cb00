# misconception: message-id-key
# why: A Java developer who takes the id that is unique for sure: the one that SQS gave.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        print("JOB", json.dumps(json.loads(record["body"])))
        item = order_of(record["body"])
        job_id = item["id"]["S"]
        # UUID: garantiza que no choca con ningún otro
        item["id"] = {"S": record["messageId"]}
        saved = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job_id, "processed": saved, "duplicate": not saved}))
