# why: boto3 tries again by itself; the client says how often.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3
    from botocore.config import Config

    session = boto3.session.Session()
    dynamodb = session.client("dynamodb", config=Config(retries={"mode": "standard", "total_max_attempts": 4}))
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        processed = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"duplicate": not processed, "processed": processed, "id": job["id"]}))
    return None
