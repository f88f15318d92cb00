# misconception: delete-first|handler-deletes
# why: Somebody afraid of a second delivery, who takes the message off the queue before anything else.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    sqs = boto3.client("sqs")
    for record in event["Records"]:
        queue_name = record["eventSourceARN"].rpartition(":")[2]
        url = sqs.get_queue_url(QueueName=queue_name)["QueueUrl"]
        sqs.delete_message(QueueUrl=url, ReceiptHandle=record["receiptHandle"])
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        new = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": new, "duplicate": not new}))
