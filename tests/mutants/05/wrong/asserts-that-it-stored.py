# misconception: refused-is-crash|once|deleted-is-gone
# why: save_job says True when it worked, so anything else is a failure.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        assert save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"])), "not saved"
        print("RESULT", json.dumps({"id": job["id"], "processed": True, "duplicate": False}))
