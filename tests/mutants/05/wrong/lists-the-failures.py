# misconception: partial-not-on
# why: In module 01 the list of failures kept a message in the queue, so it will do so here.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        try:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
            print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
        except Exception as error:
            print(f"{record['messageId']} failed: {error}")
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
