# points: 26
# loses: test-work-batch-until-empty
# why: The get with its default looked like needless care.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    for message in sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)["Messages"]:
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
