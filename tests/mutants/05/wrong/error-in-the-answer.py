# misconception: status-500
# why: Lambda's own answer to a failed run has errorType and errorMessage, so an answer that looks the same must do.

# %% handler
def run(event):
    table = os.environ["TABLE_NAME"]
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, table, order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))


def handler(event, context):
    try:
        run(event)
    except Exception as error:
        return {"errorType": type(error).__name__, "errorMessage": str(error)}
