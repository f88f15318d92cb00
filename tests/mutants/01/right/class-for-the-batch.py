# why: Whoever likes classes keeps the two lists in an object.

# %% work-batch
class Batch:
    def __init__(self, sqs, queue_url):
        self.sqs = sqs
        self.queue_url = queue_url
        self.done = []
        self.left = []

    def messages(self):
        return self.sqs.receive_message(QueueUrl=self.queue_url, MaxNumberOfMessages=10).get("Messages", [])

    def finish(self, message):
        self.sqs.delete_message(QueueUrl=self.queue_url, ReceiptHandle=message["ReceiptHandle"])
        self.done.append(message["MessageId"])

    def leave(self, message):
        self.left.append(message["MessageId"])


def work_batch(sqs, queue_url, work):
    batch = Batch(sqs, queue_url)
    for message in batch.messages():
        try:
            work(message["Body"])
        except Exception:
            batch.leave(message)
        else:
            batch.finish(message)
    return batch.done, batch.left
