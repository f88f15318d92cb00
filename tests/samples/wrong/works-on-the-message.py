# points: 23
# loses: test-work-batch-ids, test-work-batch-comes-back, test-work-batch-until-empty
# why: work gets the whole message, since the body is in it.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message)
        except Exception:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
