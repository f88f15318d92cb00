# misconception: count-errors
# why: The receive count says how often the job failed, so a third receive means two errors: it is given up.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        errors = int(record["attributes"]["ApproximateReceiveCount"]) - 1
        if errors >= 2:
            print("GIVEN UP", record["messageId"])
            continue
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
