# points: 23
# loses: test-work-batch-ids, test-work-batch-comes-back, test-work-batch-until-empty
# misconceptions: receive-removes
# why: A message that was received is gone, so one that failed has to be sent to the queue again.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
            done.append(message["MessageId"])
        except Exception:
            sqs.send_message(QueueUrl=queue_url, MessageBody=message["Body"])
            left.append(message["MessageId"])
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
    return done, left
