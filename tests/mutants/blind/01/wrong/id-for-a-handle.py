# misconception: delete-by-id
# why: A tired person who wanted to delete the message with that id, and gave that id.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        message_id = message["MessageId"]
        try:
            work(message["Body"])
        except Exception:
            left.append(message_id)
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message_id)
            done.append(message_id)
    return done, left
