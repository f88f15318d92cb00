# misconception: delete-first|catch-all
# why: Somebody who takes work that was started for work that is done: the message is deleted meanwhile, and no error is seen.

# %% work-batch
from concurrent.futures import ThreadPoolExecutor


def work_batch(sqs, queue_url, work):
    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    with ThreadPoolExecutor() as pool:
        for message in received.get("Messages", []):
            try:
                pool.submit(work, message["Body"])
            except Exception:
                left.append(message["MessageId"])
                continue
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    return done, left
