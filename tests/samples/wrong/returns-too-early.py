# points: 17
# loses: test-order-keys-several, test-work-batch-ids, test-work-batch-comes-back, test-work-batch-until-empty, test-handler-stores, test-handler-mixed
# why: The return slipped into the loop.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    keys = []
    for record in json.loads(body).get("Records", []):
        keys.append(unquote_plus(record["s3"]["object"]["key"]))
        return keys
    return keys

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            return done, left
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
