# points: 26
# loses: test-work-batch-until-empty
# why: It goes on until nothing comes, in place of one batch.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    while messages := sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages"):
        for message in messages:
            try:
                work(message["Body"])
            except Exception:
                left.append(message["MessageId"])
                continue
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    return done, left
