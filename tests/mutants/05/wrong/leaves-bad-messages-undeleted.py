# misconception: handler-deletes|catch-all
# why: What the handler does not delete stays in the queue, so a failed job needs no exception: it is just not deleted.

# %% handler
def handler(event, context):
    dynamodb, sqs = boto3.client("dynamodb"), boto3.client("sqs")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        except Exception as error:
            print("left in the queue:", error)
            continue
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
        url = sqs.get_queue_url(QueueName=record["eventSourceARN"].split(":")[-1])["QueueUrl"]
        sqs.delete_message(QueueUrl=url, ReceiptHandle=record["receiptHandle"])
