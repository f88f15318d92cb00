# misconception: handler-deletes
# why: Somebody who ends the handler like a consumer: what was saved is deleted in one call.

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    saved, failures = [], []
    for record in event["Records"]:
        good = True
        try:
            keys = order_keys(record["body"])
        except ValueError:
            keys, good = [], False
        for key in keys:
            try:
                prefix, customer, name = key.split("/")
                number, dot, ending = name.rpartition(".")
                if prefix != "FOLDER" or ending != "json":
                    raise ValueError(key)
                item = {
                    "customer": {"S": customer},
                    "order_id": {"N": str(int(number))},
                    "status": {"S": "received"},
                }
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
            except Exception:
                good = False
        if good:
            saved.append(record)
        else:
            failures.append({"itemIdentifier": record["messageId"]})

    entries = [
        {"Id": str(n), "ReceiptHandle": record["receiptHandle"]}
        for n, record in enumerate(saved)
        if "eventSourceARN" in record
    ]
    if entries:
        sqs = boto3.client("sqs")
        queue = saved[0]["eventSourceARN"].split(":")[-1]
        sqs.delete_message_batch(QueueUrl=sqs.get_queue_url(QueueName=queue)["QueueUrl"], Entries=entries)
    return {"batchItemFailures": failures}
