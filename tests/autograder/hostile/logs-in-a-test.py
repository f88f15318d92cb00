# line: logging inside a test
# does: A function that logs while the test runs.
# gets: all

# %% own before sol1
import logging

logging.basicConfig(level=logging.INFO)

# %% sol2
def send(messages):
    logging.getLogger(__name__).info("batches")
    logging.error("not an error of the test's")
    for i in range(0, len(messages), 10):
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(messages[i : i + 10])]
        sqs.send_message_batch(QueueUrl=QUEUE, Entries=entries)
