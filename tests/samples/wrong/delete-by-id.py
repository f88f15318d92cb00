# points: 22
# loses: test-work-batch-ids, test-work-batch-delete-after, test-work-batch-comes-back, test-work-batch-until-empty
# misconceptions: delete-by-id
# why: The id is the message's name, so that is what to delete by.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["MessageId"])
            done.append(message["MessageId"])
        except Exception:
            left.append(message["MessageId"])
    return done, left
