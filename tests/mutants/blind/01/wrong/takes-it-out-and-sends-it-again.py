# misconception: delete-first
# why: Somebody used to popping from an in-memory queue: take it out, work, and push it back when the work fails.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        # primero fuera de la cola, para que nadie más lo coja
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        try:
            work(message["Body"])
            done.append(message["MessageId"])
        except Exception:
            # no salió: otra vez a la cola
            sqs.send_message(QueueUrl=queue_url, MessageBody=message["Body"])
            left.append(message["MessageId"])
    return done, left
