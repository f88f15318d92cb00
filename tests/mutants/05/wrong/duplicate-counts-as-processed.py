# misconception: none
# why: The message of a duplicate was processed as well, so processed is always true.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": True, "duplicate": not stored}))
