# misconception: catch-all
# why: Somebody who knows suppress: the loop goes on after any error, and the failed message counts as done.

# %% work-batch
from contextlib import suppress


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        with suppress(Exception):
            work(message["Body"])
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
