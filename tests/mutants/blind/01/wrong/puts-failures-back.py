# misconception: receive-removes
# why: Somebody who thinks that a received message has left the queue, so a failed one has to be sent again to stay.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            # ya salió de la cola al recibirlo: lo devuelvo para que no se pierda
            sqs.send_message(QueueUrl=queue_url, MessageBody=message["Body"])
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
