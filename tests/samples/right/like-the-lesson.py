# points: 27
# why: It puts together what the lesson's cells showed.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    message = json.loads(body)
    keys = []
    for record in message.get("Records", []):
        key = record["s3"]["object"]["key"]
        keys.append(unquote_plus(key))
    return keys

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(
            TableName=table,
            Item=item,
            ConditionExpression="attribute_not_exists(customer)",
        )
        return True
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    return done, left

# %% handler
def handler(event, context):
    import os

    import boto3

    dynamodb = boto3.client("dynamodb")

    def item_of(key):
        parts = key.split("/")
        if len(parts) != 3 or parts[0] != "FOLDER":
            raise ValueError("not an order")
        number = int(parts[2].replace(".json", ""))
        return {"customer": {"S": parts[1]}, "order_id": {"N": str(number)}, "status": {"S": "received"}}

    def save_all(body):
        try:
            keys = order_keys(body)
        except ValueError:
            return False
        good = True
        for key in keys:
            try:
                item = item_of(key)
            except ValueError:
                good = False
            else:
                save_once(dynamodb, os.environ["TABLE_NAME"], item)
        return good

    failures = []
    for record in event["Records"]:
        if save_all(record["body"]):
            continue
        failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}

# %% prediction-again
prediction_again = 1

# %% prediction-items
prediction_items = 2

# %% prediction-key
prediction_key = "ENCODED_KEY"

# %% prediction-deleted
prediction_deleted = 2
