# points: 25
# loses: test-work-batch-comes-back, test-work-batch-until-empty
# why: Every message that was looked at is deleted, so that the queue gets empty.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
            done.append(message["MessageId"])
        except Exception:
            left.append(message["MessageId"])
        finally:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    return done, left
