# misconception: receive-removes
# why: A beginner who thinks of a queue like `list.pop`: what was received is no longer there.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
            done.append(message["MessageId"])
        except Exception:
            left.append(message["MessageId"])
    return done, left
