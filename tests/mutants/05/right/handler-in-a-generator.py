# why: A generator yields a result for each record, and the handler prints what comes out.

# %% handler
def results(event):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        yield job["id"] if isinstance(job, dict) and "id" in job else None, save_job(
            dynamodb, os.environ["TABLE_NAME"], order_of(record["body"])
        )


def handler(event, context):
    for order_id, stored in results(event):
        print("RESULT", json.dumps({"id": order_id, "processed": stored is True, "duplicate": stored is False}))
