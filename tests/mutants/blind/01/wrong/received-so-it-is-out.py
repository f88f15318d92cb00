# misconception: receive-removes|handler-deletes
# why: Somebody who thinks that receiving takes the message off the queue and only notes what went well.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception as error:
            print(repr(error))
            left.append(message["MessageId"])
        else:
            done.append(message["MessageId"])
    return done, left
