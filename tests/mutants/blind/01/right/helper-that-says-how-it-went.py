# why: A Java developer with a small class for the outcome of each message.

# %% work-batch
def work_batch(sqs, queue_url, work):
    class Attempt:
        def __init__(self, message):
            self.id = message["MessageId"]
            self.handle = message["ReceiptHandle"]
            self.succeeded = self.run(message["Body"])

        def run(self, body):
            try:
                work(body)
            except Exception:
                return False
            return True

    done, left = [], []
    response = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
    if "Messages" not in response:
        return done, left
    for message in response["Messages"]:
        attempt = Attempt(message)
        if attempt.succeeded:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=attempt.handle)
        (done if attempt.succeeded else left).append(attempt.id)
    return done, left
