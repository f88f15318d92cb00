# misconception: delete-first
# why: A Java developer used to "ack, and requeue on error": the message is deleted first and sent again when the work fails.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        try:
            work(message["Body"])
        except Exception:
            # requeue
            sqs.send_message(QueueUrl=queue_url, MessageBody=message["Body"])
            left.append(message["MessageId"])
        else:
            done.append(message["MessageId"])
    return done, left
