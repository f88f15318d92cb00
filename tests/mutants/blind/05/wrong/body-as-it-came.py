# misconception: none
# why: Copied from the lesson, where the body was printed as it came; a body with line breaks takes several lines of the log.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        print("JOB", record["body"])
        item = order_of(record["body"])
        saved = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": item["id"]["S"], "processed": saved, "duplicate": not saved}))
