# misconception: exactly-once
# why: What was saved is noted in a set, so its id need never be looked at again, whatever the next job under it says.

# %% handler
done = set()


def handler(event, context):
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        result = {"id": job["id"], "processed": False, "duplicate": True}
        if job["id"] not in done:
            stored = save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], item)
            done.add(job["id"])
            result = {"id": job["id"], "processed": stored, "duplicate": not stored}
        print("RESULT", json.dumps(result))
