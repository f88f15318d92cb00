# misconception: message-id-key|exactly-once
# why: A duplicate is a message that was received before: SQS counts that, so the flags come from its count.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        again = int(record["attributes"]["ApproximateReceiveCount"]) > 1
        print("RESULT", json.dumps({"id": job["id"], "processed": not again, "duplicate": again}))
