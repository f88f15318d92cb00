# points: 23
# loses: test-work-batch-ids, test-work-batch-comes-back, test-work-batch-until-empty
# why: How many were done seemed to be the question.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = 0, 0
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left += 1
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done += 1
    return done, left
