# misconception: check-then-write
# why: It looks whether the id is in the table, to save a write; what is there is not compared.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        table = os.environ["TABLE_NAME"]
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])
        if "Item" in dynamodb.get_item(TableName=table, Key={"id": item["id"]}):
            stored = False
        else:
            stored = save_job(dynamodb, table, item)
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
