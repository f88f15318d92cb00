# misconception: none
# why: A beginner who put the `try` around the loop; after the first failure nobody treats the others.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    try:
        for message in received.get("Messages", []):
            work(message["Body"])
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    except Exception:
        left.append(message["MessageId"])
    return done, left
