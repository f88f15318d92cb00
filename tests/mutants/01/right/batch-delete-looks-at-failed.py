# why: One call deletes what is done, and what that call could not delete is deleted alone.

# %% work-batch
def work_batch(sqs, queue_url, work):
    handles, left = {}, []
    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    for message in received.get("Messages", []):
        try:
            work(message["Body"])
        except Exception:
            left.append(message["MessageId"])
        else:
            handles[message["MessageId"]] = message["ReceiptHandle"]
    if handles:
        entries = [{"Id": message_id, "ReceiptHandle": handle} for message_id, handle in handles.items()]
        answer = sqs.delete_message_batch(QueueUrl=queue_url, Entries=entries)
        for failed in answer.get("Failed", []):
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=handles[failed["Id"]])
    return list(handles), left
