# misconception: once|message-id-key
# why: Somebody who believes that a message is delivered once, so that an id seen before can only be a superfluous copy.

# %% work-batch
vistos = set()


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        id_ = message["MessageId"]
        repetido = id_ in vistos
        vistos.add(id_)
        if not repetido:
            try:
                work(message["Body"])
            except Exception:
                left.append(id_)
                continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(id_)
    return done, left
