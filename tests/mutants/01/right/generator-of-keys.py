# why: A generator gives one key after another, and the function makes a list of them.

# %% order-keys
def order_keys(body):
    import json
    from urllib.parse import unquote_plus

    def announced(message):
        for record in message.get("Records", []):
            yield unquote_plus(record["s3"]["object"]["key"])

    return list(announced(json.loads(body)))

# %% work-batch
def work_batch(sqs, queue_url, work):
    def tried():
        reply = sqs.receive_message(QueueUrl=queue_url, MaxNumberOfMessages=10)
        for message in reply.get("Messages", []):
            try:
                work(message["Body"])
            except Exception as error:
                yield message, error
            else:
                yield message, None

    done, left = [], []
    for message, error in tried():
        if error is None:
            sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])
            done.append(message["MessageId"])
        else:
            left.append(message["MessageId"])
    return done, left
