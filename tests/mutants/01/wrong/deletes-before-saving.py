# misconception: handler-deletes|delete-first
# why: Somebody who deletes each message on arrival, as a consumer must, and saves afterwards.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    sqs = boto3.client("sqs")

    def delete(record):
        arn = record.get("eventSourceARN", "")
        if arn:
            queue_url = sqs.get_queue_url(QueueName=arn.rpartition(":")[2])["QueueUrl"]
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=record["receiptHandle"])

    def item_of(key):
        prefix, customer, name = key.split("/")
        if prefix != "FOLDER" or not name.endswith(".json"):
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
            except Exception:
                good = False
        return good

    failures = []
    for record in event["Records"]:
        delete(record)
        if not save_all(record["body"]):
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
