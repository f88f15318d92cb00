# misconception: none
# why: A printed dictionary looks like JSON: the quotes and the capital T of True went unnoticed.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", {"id": job["id"], "processed": stored, "duplicate": not stored})
