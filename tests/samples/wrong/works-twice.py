# points: 26
# loses: test-work-batch-delete-after
# why: It tries the work out first, to see whether it fails, and then does it.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []

    def fails(body):
        try:
            work(body)
        except Exception:
            return True
        return False

    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        if fails(message["Body"]):
            left.append(message["MessageId"])
            continue
        work(message["Body"])
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
