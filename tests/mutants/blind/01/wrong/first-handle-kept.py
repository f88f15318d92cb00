# misconception: delete-by-id
# why: Somebody who keeps the handle of each message id, as if it belonged to the message and not to the reception.

# %% work-batch
handles = {}


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        name = message["MessageId"]
        handles.setdefault(name, message["ReceiptHandle"])
        try:
            work(message["Body"])
        except Exception:
            left.append(name)
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=handles[name])
        done.append(name)
    return done, left
