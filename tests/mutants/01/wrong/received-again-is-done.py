# misconception: once|count-errors|delete-first
# why: Somebody who believes that a message received a second time was worked on the first time.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(
        QueueUrl=queue_url,
        MaxNumberOfMessages=10,
        AttributeNames=["ApproximateReceiveCount"],
    )
    for message in received.get("Messages", []):
        times = int(message["Attributes"]["ApproximateReceiveCount"])
        try:
            if times == 1:
                work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    return done, left
