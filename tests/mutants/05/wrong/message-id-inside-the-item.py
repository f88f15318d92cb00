# misconception: message-id-key
# why: To know the job again, the item keeps the id of its message: sent twice, it is no longer equal.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = {**order_of(record["body"]), "message_id": {"S": record["messageId"]}}
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
