# why: Somebody who only knew `delete_message_batch`; one entry a call, and an entry that failed is no success.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        entry = {"Id": "1", "ReceiptHandle": message["ReceiptHandle"]}
        answer = sqs.delete_message_batch(QueueUrl=queue_url, Entries=[entry])
        if answer.get("Failed"):
            raise RuntimeError(answer["Failed"])
        done.append(message["MessageId"])
    return done, left
