# misconception: receive-removes
# why: The message was taken out of the queue, so a job that failed must be put into it again.

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
        except Exception:
            url = sqs.get_queue_url(QueueName=record["eventSourceARN"].split(":")[-1])["QueueUrl"]
            sqs.send_message(QueueUrl=url, MessageBody=record["body"])
            continue
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
