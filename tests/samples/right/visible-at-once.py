# points: 27
# why: What failed can be tried again at once: the visibility timeout is set to 0.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        handle = message["ReceiptHandle"]
        try:
            work(message["Body"])
        except Exception:
            sqs.change_message_visibility(QueueUrl=queue_url, ReceiptHandle=handle, VisibilityTimeout=0)
            left.append(message["MessageId"])
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=handle)
            done.append(message["MessageId"])
    return done, left
