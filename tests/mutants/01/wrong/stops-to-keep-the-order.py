# misconception: order|one-by-one
# why: Somebody who believes that the queue keeps order, so nothing may overtake a message that failed.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        if left:
            left.append(message["MessageId"])
            continue
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    return done, left
