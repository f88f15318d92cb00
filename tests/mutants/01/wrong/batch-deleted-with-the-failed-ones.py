# misconception: none
# why: Somebody who collects the handles at the top of the loop, before it is known which message fails.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left, entries = [], [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for number, message in enumerate(received.get("Messages", [])):
        entries.append({"Id": str(number), "ReceiptHandle": message["ReceiptHandle"]})
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
            continue
        done.append(message["MessageId"])
    if entries:
        sqs.delete_message_batch(QueueUrl=queue_url, Entries=entries)
    return done, left
