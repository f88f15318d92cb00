# misconception: empty-is-done
# why: Somebody who believes that one receive brought all there is, and empties the queue in one call if nothing failed.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left, good = [], [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            done.append(message["MessageId"])
            good.append(message)
    if done and not left:
        sqs.purge_queue(QueueUrl=queue_url)
        return done, left
    for message in good:
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    return done, left
