# why: A helper hands back the error or None, and comprehensions make the two lists.

# %% work-batch
def work_batch(sqs, queue_url, work):
    def error_of(message):
        try:
            work(message["Body"])
        except Exception as error:
            return error
        sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
        return None

    received = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    errors = [(message["MessageId"], error_of(message)) for message in received.get("Messages", [])]
    done = [message_id for message_id, error in errors if error is None]
    left = [message_id for message_id, error in errors if error is not None]
    return done, left
