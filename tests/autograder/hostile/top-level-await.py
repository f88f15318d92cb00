# line: top-level await
# does: Waits at the top level, and defines an answer after it.
# gets: all

# %% sol2
import asyncio

size = await asyncio.sleep(0, 10)


def send(messages):
    for i in range(0, len(messages), size):
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(messages[i : i + size])]
        sqs.send_message_batch(QueueUrl=QUEUE, Entries=entries)
