# points: 27
# why: Short functions without loops, and a lambda for the first one.

# %% order-keys
import json
from urllib.parse import unquote_plus

order_keys = lambda body: [unquote_plus(r["s3"]["object"]["key"]) for r in json.loads(body).get("Records", [])]

# %% work-batch
def work_batch(sqs, queue_url, work):
    messages = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10).get("Messages", [])

    def finish(message):
        try:
            work(message["Body"])
            return bool(sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"]))
        except Exception:
            return False

    finished = {message["MessageId"]: finish(message) for message in messages}
    return [i for i, good in finished.items() if good], [i for i, good in finished.items() if not good]
