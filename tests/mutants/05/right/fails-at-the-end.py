# why: A bad record does not keep the others of an event from being saved; what failed is raised together.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    errors = []
    for record in event["Records"]:
        try:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            new = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
            print("RESULT", json.dumps({"id": job["id"], "processed": new, "duplicate": not new}))
        except Exception as error:
            errors.append(error)
    if errors:
        raise ExceptionGroup("jobs that failed", errors)
