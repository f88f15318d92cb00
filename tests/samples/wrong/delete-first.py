# points: 24
# loses: test-work-batch-delete-after, test-work-batch-comes-back, test-work-batch-until-empty
# misconceptions: delete-first
# why: A message that is deleted at once cannot come a second time.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        try:
            work(message["Body"])
            done.append(message["MessageId"])
        except Exception:
            left.append(message["MessageId"])
    return done, left
