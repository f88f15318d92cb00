# misconception: status-500
# why: A function tells of an error with a status code, as on the web.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    try:
        for record in event["Records"]:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            item = order_of(record["body"])
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
            print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
    except Exception as error:
        return {"statusCode": 500, "body": str(error)}
    return {"statusCode": 200}
