# misconception: none
# why: The id is there already, so it is a duplicate, and a duplicate ends without an error.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        try:
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except ValueError:
            stored = False
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
