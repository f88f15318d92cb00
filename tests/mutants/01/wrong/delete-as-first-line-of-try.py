# misconception: delete-first
# why: Somebody who believes that an error in the try block takes back what stands before it.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done = []
    left = []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        message_id = message["MessageId"]
        try:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            work(message["Body"])
        except Exception as e:
            print(message_id, e)
            left.append(message_id)
        else:
            done.append(message_id)
    return done, left
