# misconception: handler-deletes|delete-first
# why: Somebody who thinks that the function must delete its message, and does so as soon as the job has been read.

# %% handler
def handler(event, context):
    import json
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    sqs = boto3.client("sqs")
    for record in event["Records"]:
        print("EVENT", json.dumps(event))
        job = json.loads(record["body"])
        print("JOB", json.dumps(job))
        item = order_of(record["body"])

        # leído y comprobado: fuera de la cola, o volverá
        queue_name = record["eventSourceARN"].split(":")[-1]
        queue_url = sqs.get_queue_url(QueueName=queue_name)["QueueUrl"]
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=record["receiptHandle"])

        is_new = save_job(dynamodb, os.environ["TABLE_NAME"], item)
        print("RESULT", json.dumps({"id": job["id"], "processed": is_new, "duplicate": not is_new}))
