# why: Somebody who likes `contextlib`: the flag is set only when the work came to its end.

# %% work-batch
def work_batch(sqs, queue_url, work):
    from contextlib import suppress

    done, left = [], []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        finished = False
        with suppress(Exception):
            work(message["Body"])
            finished = True
        if not finished:
            left.append(message["MessageId"])
            continue
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        done.append(message["MessageId"])
    return done, left
