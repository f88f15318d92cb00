# misconception: order
# why: Somebody who believes that the queue hands messages over in order, so nothing may overtake one that failed.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done = []
    left = []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            # The following ones must wait for this one, or the order is lost.
            break
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
