# misconception: handler-deletes
# why: Who works on a message deletes it: as soon as the order is saved, before anything else is done.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    sqs = boto3.client("sqs")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        queue = record["eventSourceARN"].split(":")[-1]
        url = sqs.get_queue_url(QueueName=queue)["QueueUrl"]
        sqs.delete_message(QueueUrl=url, ReceiptHandle=record["receiptHandle"])
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
