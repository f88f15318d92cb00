# misconception: delete-first
# why: Somebody who clears the batch out of the queue in one call, so that nobody else gets it, and then works.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    messages = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", [])
    if messages:
        entries = [{"Id": m["MessageId"], "ReceiptHandle": m["ReceiptHandle"]} for m in messages]
        sqs.delete_message_batch(QueueUrl=queue_url, Entries=entries)
    for message in messages:
        try:
            work(message["Body"])
            done.append(message["MessageId"])
        except Exception:
            left.append(message["MessageId"])
    return done, left
