# points: 24
# loses: test-work-batch-ids, test-work-batch-until-empty
# why: In the lesson a broken body raised ValueError, so that is what is caught.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except ValueError:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
