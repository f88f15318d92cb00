# misconception: message-id-key|once|delete-first
# why: Somebody who notes each id on arrival and skips it the next time: a job that failed the first time is never done.

# %% work-batch
known = set()


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        message_id = message["MessageId"]
        try:
            if message_id not in known:
                known.add(message_id)
                work(message["Body"])
        except Exception:
            left.append(message_id)
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message_id)
    return done, left
