# points: 27
# why: One DeleteMessageBatch after the loop costs less than ten calls.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    entries = []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        done.append(message["MessageId"])
        entries.append({"Id": str(len(entries)), "ReceiptHandle": message["ReceiptHandle"]})
    if entries:
        sqs.delete_message_batch(QueueUrl=queue_url, Entries=entries)
    return done, left
