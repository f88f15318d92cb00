# misconception: receive-removes|handler-deletes
# why: Somebody who leaves deleting to whoever called, as in a function that Lambda runs.

# %% work-batch
def work_batch(sqs, queue_url, work):
    def works(message):
        try:
            work(message["Body"])
            return True
        except Exception:
            return False

    messages = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", [])
    results = [(message["MessageId"], works(message)) for message in messages]
    return [i for i, good in results if good], [i for i, good in results if not good]
