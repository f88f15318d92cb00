# misconception: message-id-key|exactly-once
# why: A repetition is a message whose id came before, so the ids are noted as they come.

# %% handler
seen = set()


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        if record["messageId"] in seen:
            print("RESULT", json.dumps({"id": job["id"], "processed": False, "duplicate": True}))
            continue
        seen.add(record["messageId"])
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
