# points: 27
# why: AWS advises long polling, so it waits up to 20 seconds for a message.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10, WaitTimeSeconds=20)
    if "Messages" not in received:
        return [], []
    for message in received["Messages"]:
        try:
            work(message["Body"])
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
        except Exception:
            left.append(message["MessageId"])
    return done, left
