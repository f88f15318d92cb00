# points: 27
# why: boto3's Message objects know how to delete themselves.

# %% work-batch
def work_batch(sqs, queue_url, work):
    import boto3

    done, left = [], []
    for message in boto3.resource("sqs").Queue(queue_url).receive_messages(MaxNumberOfMessages=10):
        try:
            work(message.body)
        except Exception:
            left.append(message.message_id)
        else:
            message.delete()
            done.append(message.message_id)
    return done, left
