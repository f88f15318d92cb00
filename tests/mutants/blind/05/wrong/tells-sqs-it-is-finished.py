# misconception: handler-deletes
# why: Somebody who wrote a consumer before: after the work comes `delete_message`, also here.

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
        saved = save_job(dynamodb, os.environ["TABLE_NAME"], order_of(record["body"]))
        print("RESULT", json.dumps({"id": job["id"], "processed": saved, "duplicate": not saved}))
        # 保存できたので、メッセージを削除します
        queue_name = record["eventSourceARN"].split(":")[-1]
        queue_url = sqs.get_queue_url(QueueName=queue_name)["QueueUrl"]
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=record["receiptHandle"])
