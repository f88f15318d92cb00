# misconception: order|put-inserts
# why: The queue keeps the order, so a contradiction is a later wish of the customer and takes the first one's place.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        try:
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        except ValueError:
            dynamodb.put_item(TableName=os.environ["TABLE_NAME"], Item=item)
            stored = True
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
