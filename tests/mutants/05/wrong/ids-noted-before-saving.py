# misconception: exactly-once
# why: A set of the ids makes sure that each job is done exactly once; it is noted first, so that nobody else takes it.

# %% handler
started = set()


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        fresh = job["id"] not in started
        started.add(job["id"])
        if fresh:
            fresh = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": fresh, "duplicate": not fresh}))
