# misconception: none
# why: A Java developer who expects a boolean of success: what returns False was not done.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            success = work(message["Body"]) is not False
        except Exception:
            success = False
        if success:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
        else:
            left.append(message["MessageId"])
    return done, left
