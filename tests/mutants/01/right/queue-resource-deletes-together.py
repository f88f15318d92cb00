# why: The queue resource receives, and deletes in one call what was worked on.

# %% work-batch
import boto3


def work_batch(sqs, queue_url, work):
    queue = boto3.resource("sqs").Queue(queue_url)
    done, left = [], []
    for message in queue.receive_messages(MaxNumberOfMessages=10):
        try:
            work(message.body)
        except Exception:
            left.append(message)
        else:
            done.append(message)
    if done:
        answer = queue.delete_messages(
            Entries=[{"Id": str(i), "ReceiptHandle": message.receipt_handle} for i, message in enumerate(done)]
        )
        for entry in answer.get("Failed", []):
            done[int(entry["Id"])].delete()
    return [message.message_id for message in done], [message.message_id for message in left]
