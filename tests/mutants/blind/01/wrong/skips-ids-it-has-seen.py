# misconception: message-id-key
# why: Somebody who guards against repetitions by the message's id, and notes it down before the work.

# %% work-batch
seen = set()


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            if message["MessageId"] not in seen:
                seen.add(message["MessageId"])
                work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        # nuevo o repetido, ya está hecho
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
