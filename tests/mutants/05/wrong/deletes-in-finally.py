# misconception: handler-deletes
# why: A consumer tidies up after itself: in finally, so that no message is forgotten, a failed one included.

# %% handler
def delete(record):
    sqs = boto3.client("sqs")
    name = record["eventSourceARN"].rpartition(":")[2]
    sqs.delete_message(
        QueueUrl=sqs.get_queue_url(QueueName=name)["QueueUrl"],
        ReceiptHandle=record["receiptHandle"],
    )


def handler(event, context):
    for record in event["Records"]:
        try:
            print("EVENT", json.dumps(event))
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            item = order_of(record["body"])
            stored = save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], item)
            print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
        finally:
            delete(record)
