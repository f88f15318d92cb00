# misconception: none
# why: Outside the handler it is read once, as one does in Lambda; there the variable does not change.

# %% handler
TABLE_NAME = os.environ.get("TABLE_NAME", "")


def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, TABLE_NAME, order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
