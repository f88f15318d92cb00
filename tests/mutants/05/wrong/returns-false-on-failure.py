# misconception: status-500
# why: True is success and False is failure; Lambda will look at what the handler returns.

# %% handler
def handler(event, context):
    ok = True
    for record in event["Records"]:
        print("EVENT " + json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB " + json.dumps(job))
            new = save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], order_of(record["body"]))
        except Exception:
            ok = False
        else:
            print("RESULT " + json.dumps({"id": job["id"], "processed": new, "duplicate": not new}))
    return ok
