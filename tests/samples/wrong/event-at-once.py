# points: 22
# loses: test-work-batch-ids, test-work-batch-delete-after, test-work-batch-comes-back, test-work-batch-until-empty
# misconceptions: event-once
# why: The event is there as soon as the upload returns, and alone: one receive must bring it.

# %% work-batch
def work_batch(sqs, queue_url, work):
    message = sqs.receive_message(QueueUrl=queue_url)["Messages"][0]
    try:
        work(message["Body"])
    except Exception:
        return [], [message["MessageId"]]
    sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    return [message["MessageId"]], []
