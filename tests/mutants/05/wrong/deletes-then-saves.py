# misconception: delete-first|handler-deletes
# why: A message that is deleted at once cannot come a second time, so there will be no duplicate.

# %% handler
def handler(event, context):
    sqs = boto3.client("sqs")
    dynamodb = boto3.client("dynamodb")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        queue_url = sqs.get_queue_url(QueueName=record["eventSourceARN"].split(":")[5])["QueueUrl"]
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=record["receiptHandle"])
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        stored = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
