# misconception: empty-is-done
# why: Somebody who wants the queue empty at the end and takes the first empty receive for the end.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    while True:
        received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
        messages = received.get("Messages", [])
        if not messages:
            break  # cola vacía: hemos terminado
        for message in messages:
            try:
                work(message["Body"])
            except Exception:
                left.append(message["MessageId"])
                continue
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    return done, left
