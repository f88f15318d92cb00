# misconception: empty-is-done
# why: Somebody who believes that the work is over when a receive brings nothing, and calls the function again until then.

# %% work-batch
def work_batch(sqs, queue_url, work):
    done, left = [], []
    messages = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages")
    if not messages:
        return done, left
    for message in messages:
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
    more_done, more_left = work_batch(sqs, queue_url, work)
    return done + more_done, left + more_left
