# misconception: empty-is-done
# why: Somebody who tidies up when nothing comes any more: what another consumer holds in flight goes too.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    if "Messages" not in received:
        sqs.purge_queue(QueueUrl=queue_url)
        return done, left
    for message in received["Messages"]:
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
