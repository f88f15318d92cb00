# why: Work that fails may succeed a moment later, so it is tried up to three times before the message is left.

# %% work-batch
def work_batch(sqs, queue_url, work, tries=3):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        for _ in range(tries):
            try:
                work(message["Body"])
            except Exception:
                continue
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
            break
        else:
            left.append(message["MessageId"])
    return done, left
