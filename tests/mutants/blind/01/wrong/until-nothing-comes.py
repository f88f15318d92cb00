# misconception: empty-is-done
# why: A data scientist who wants all of the data: go on receiving until an empty answer says that the queue is empty.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    messages = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", [])
    while len(messages) > 0:
        for message in messages:
            try:
                work(message["Body"])
            except Exception:
                left.append(message["MessageId"])
                continue
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
        messages = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", [])
    return done, left
