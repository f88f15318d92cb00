# misconception: refused-is-crash|once|deleted-is-gone
# why: Each job comes once and its message is deleted, so one that is stored already must be somebody's mistake.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
        if not stored:
            raise RuntimeError(f"{job['id']} was already processed")
