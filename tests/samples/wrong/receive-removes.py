# points: 23
# loses: test-work-batch-delete-after, test-work-batch-comes-back, test-work-batch-until-empty, test-prediction-again
# misconceptions: receive-removes
# why: What was received is out of the queue, so nothing is left to delete.

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
    return done, left

# %% prediction-again
prediction_again = 0
