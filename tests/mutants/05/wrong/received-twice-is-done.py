# misconception: exactly-once
# why: If a message comes a second time, the first run has saved the order: only its deletion failed.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        if record["attributes"]["ApproximateReceiveCount"] == "1":
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        else:
            stored = False
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
