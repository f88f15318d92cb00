# line: calls from threads
# does: Sends its batches from threads.
# gets: all

# %% sol2
def send(messages):
    from concurrent.futures import ThreadPoolExecutor

    batches = [messages[i : i + 10] for i in range(0, len(messages), 10)]

    def send_one(batch):
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(batch)]
        return sqs.send_message_batch(QueueUrl=QUEUE, Entries=entries)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(send_one, batches))
