# points: 17
# loses: test-order-keys-no-records, test-work-batch-ids, test-work-batch-comes-back, test-work-batch-until-empty, test-handler-mixed, test-handler-twice
# why: A program that never stops looks like one that works.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    try:
        return [unquote_plus(record["s3"]["object"]["key"]) for record in json.loads(body)["Records"]]
    except Exception:
        return []

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            pass
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
