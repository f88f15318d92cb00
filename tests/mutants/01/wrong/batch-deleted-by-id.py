# misconception: delete-by-id
# why: Somebody who sees the entry's Id and takes the message's id for both fields.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            done.append(message["MessageId"])
    if done:
        sqs.delete_message_batch(
            QueueUrl=queue_url,
            Entries=[{"Id": message_id, "ReceiptHandle": message_id} for message_id in done],
        )
    return done, left
