# points: 5
# loses: test-order-keys-several, test-order-keys-encoded, test-order-keys-no-records, test-save-once-repeat, test-save-once-keeps, test-save-once-second-order, test-save-once-other-errors, test-work-batch-ids, test-work-batch-comes-back, test-work-batch-until-empty, test-handler-stores, test-handler-bad-keys, test-handler-mixed, test-handler-twice
# why: The functions do their work, and the return was forgotten.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    keys = [unquote_plus(record["s3"]["object"]["key"]) for record in json.loads(body).get("Records", [])]

# %% save-once
def save_once(dynamodb, table, item):
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        pass

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
