# misconception: none
# why: The body is JSON already, as in the lesson; one that is written over several lines was not thought of.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        print("JOB", record["body"])
        item = order_of(record["body"])
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": item["id"]["S"], "processed": stored, "duplicate": not stored}))
