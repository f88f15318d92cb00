# misconception: catch-all
# why: A bad job would come back for ever, so every ValueError is dropped; a contradiction is one as well.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            item = order_of(record["body"])
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except ValueError as error:
            print("SKIPPED", error)
            continue
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
