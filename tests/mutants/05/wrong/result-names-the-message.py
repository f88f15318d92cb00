# misconception: message-id-key
# why: The id is the message's id: that is what a result is looked for by.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        print("JOB", json.dumps(json.loads(record["body"])))
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        result = {"id": record["messageId"], "processed": stored, "duplicate": not stored}
        print("RESULT", json.dumps(result))
