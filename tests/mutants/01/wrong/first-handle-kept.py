# misconception: delete-by-id
# why: Somebody who believes that a message has one handle for life, and keeps the first in a dictionary by id.

# %% work-batch
handles = {}


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        message_id = message["MessageId"]
        if message_id not in handles:
            handles[message_id] = message["ReceiptHandle"]
        try:
            work(message["Body"])
        except Exception:
            left.append(message_id)
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=handles[message_id])
        done.append(message_id)
    return done, left
