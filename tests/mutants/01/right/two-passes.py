# why: First all the work, then all the deleting: what was done is deleted at the end of the batch.

# %% work-batch
def work_batch(sqs, queue_url, work):
    good, bad = [], []
    for message in sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", []):
        try:
            work(message["Body"])
            good.append(message)
        except Exception:
            bad.append(message)
    for message in good:
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    return [message["MessageId"] for message in good], [message["MessageId"] for message in bad]
