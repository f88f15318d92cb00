# misconception: put-inserts|once
# why: The item is ready, so it is put into the table right here: PutItem inserts, and a job comes once.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        dynamodb.put_item(TableName=os.environ["TABLE_NAME"], Item=order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": True, "duplicate": False}))
