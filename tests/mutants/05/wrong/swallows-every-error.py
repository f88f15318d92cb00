# misconception: catch-all
# why: A handler must not crash: what goes wrong is printed, and the next message is taken.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        try:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
            print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
        except Exception as error:
            print("ERROR", type(error).__name__, error)
