# points: 27
# why: What failed is logged, as one does in a real program: logging and tracebacks go to stderr.

# %% work-batch
import traceback


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            traceback.print_exc()
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left

# %% handler
import logging

logging.basicConfig(level=logging.INFO)
logger = logging.getLogger("orders")


def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")
    failures = []
    for record in event["Records"]:
        good = True
        try:
            keys = order_keys(record["body"])
        except ValueError as error:
            logger.error("no JSON: %s", error)
            keys, good = [], False
        for key in keys:
            try:
                folder, customer, name = key.split("/")
                if folder != "FOLDER":
                    raise ValueError(key)
                number = str(int(name.removesuffix(".json")))
                item = {"customer": {"S": customer}, "order_id": {"N": number}, "status": {"S": "received"}}
                logger.info("stored now: %s", save_once(dynamodb, os.environ["TABLE_NAME"], item))
            except Exception:
                logger.exception("not stored: %s", key)
                good = False
        if not good:
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
