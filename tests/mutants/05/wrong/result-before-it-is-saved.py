# misconception: none
# why: The result is printed as soon as the job is known to be good; only a duplicate is told of after the write.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        print("RESULT", json.dumps({"id": job["id"], "processed": True, "duplicate": False}))
        if not save_job(dynamodb, os.environ["TABLE_NAME"], item):
            print("RESULT", json.dumps({"id": job["id"], "processed": False, "duplicate": True}))
