# misconception: receive-removes
# why: Somebody who believes that a received message is out of the queue, and has to be given back if it failed.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            sqs.change_message_visibility(
                QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"], VisibilityTimeout=0
            )
            left.append(message["MessageId"])
        else:
            done.append(message["MessageId"])
    return done, left
