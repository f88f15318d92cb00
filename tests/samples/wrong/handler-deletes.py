# points: 24
# loses: test-handler-twice, test-prediction-deleted
# misconceptions: handler-deletes
# why: Who works on a message deletes it. In Lambda the queue's name is in the record.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    sqs = boto3.client("sqs")

    def item_of(key):
        folder, customer, name = key.split("/")
        if folder != "FOLDER":
            raise ValueError(key)
        return {"customer": {"S": customer}, "order_id": {"N": str(int(name[:-5]))}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                save_once(dynamodb, os.environ["TABLE_NAME"], item_of(key))
            except ValueError:
                good = False
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            if "eventSourceARN" in record:
                queue = record["eventSourceARN"].split(":")[-1]
                url = sqs.get_queue_url(QueueName=queue)["QueueUrl"]
                sqs.delete_message(QueueUrl=url, ReceiptHandle=record["receiptHandle"])
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}

# %% prediction-deleted
prediction_deleted = 0
