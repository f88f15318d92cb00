# misconception: receive-removes
# why: Received is removed: before the run fails, the job goes back into the queue. Then it is there twice.

# %% handler
def put_back(record):
    sqs = boto3.client("sqs")
    queue = record["eventSourceARN"].split(":")[-1]
    sqs.send_message(QueueUrl=sqs.get_queue_url(QueueName=queue)["QueueUrl"], MessageBody=record["body"])


def handler(event, context):
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        try:
            job = json.loads(record["body"])
            print("JOB", json.dumps(job))
            item = order_of(record["body"])
            stored = save_job(boto3.client("dynamodb"), os.environ["TABLE_NAME"], item)
        except Exception:
            put_back(record)
            raise
        print("RESULT", json.dumps({"id": job["id"], "processed": stored, "duplicate": not stored}))
