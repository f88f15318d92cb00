# misconception: delete-first
# why: Somebody who deletes at once and sends a copy back after an error: a worker that stops in between sends nothing.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        try:
            work(message["Body"])
        except Exception:
            sqs.send_message(QueueUrl=queue_url, MessageBody=message["Body"])
            left.append(message["MessageId"])
        else:
            done.append(message["MessageId"])
    return done, left
