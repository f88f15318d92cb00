# misconception: count-errors|delete-first
# why: Somebody who takes three receives for three errors, and throws the message away.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10, AttributeNames=["All"])
    for message in received.get("Messages", []):
        handle = message["ReceiptHandle"]
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            if int(message["Attributes"]["ApproximateReceiveCount"]) >= 3:
                sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=handle)
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=handle)
            done.append(message["MessageId"])
    return done, left
