# points: 22
# loses: test-work-batch-ids, test-work-batch-delete-after, test-work-batch-comes-back, test-work-batch-until-empty
# why: The function got a name that its writer liked better.

# %% work-batch
def process_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
