# misconception: order
# why: Somebody who believes that messages come in the order they were sent, so an older one must be a repeat.

# %% work-batch
newest = {}


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(
        QueueUrl=queue_url, MaxNumberOfMessages=10, AttributeNames=["SentTimestamp"]
    )
    for message in received.get("Messages", []):
        sent = int(message["Attributes"]["SentTimestamp"])
        if sent < newest.get(queue_url, 0):
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
            continue
        newest[queue_url] = sent
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
