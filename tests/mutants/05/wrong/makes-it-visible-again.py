# misconception: handler-deletes|catch-all
# why: The handler decides about its message: a failed one is made visible again, and then it will be there.

# %% handler
def handler(event, context):
    dynamodb = boto3.client("dynamodb")
    sqs = boto3.client("sqs")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
            print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
        except Exception:
            queue = record["eventSourceARN"].split(":")[-1]
            sqs.change_message_visibility(
                QueueUrl=sqs.get_queue_url(QueueName=queue)["QueueUrl"],
                ReceiptHandle=record["receiptHandle"],
                VisibilityTimeout=0,
            )
