# line: a client made before the mock
# does: Makes its client in a cell of its own, before the set-up cell starts the mock, and uses it.
# gets: all

# %% own before setup
import boto3

early = boto3.client("sqs", region_name="us-east-1", aws_access_key_id="a", aws_secret_access_key="b")

# %% sol2
def send(messages):
    for i in range(0, len(messages), 10):
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(messages[i : i + 10])]
        early.send_message_batch(QueueUrl=QUEUE, Entries=entries)
