# misconception: delete-first
# why: Somebody who wants to be sure that nobody else gets the message while the work goes on.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        # la quito ya de la cola para que no llegue dos veces
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        try:
            work(message["Body"])
            done.append(message["MessageId"])
        except Exception:
            left.append(message["MessageId"])
    return done, left
