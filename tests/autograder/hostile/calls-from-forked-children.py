# line: calls from forked children
# does: Calls AWS from a child process too: it gets its answer or a sentence, and its parent goes on.
# gets: all
# needs: posix

# %% sol2
def send(messages):
    import os

    child = os.fork()
    if child == 0:
        try:
            sqs.list_queues()
        except BaseException as error:
            print(error)
        os._exit(0)
    os.waitpid(child, 0)
    for i in range(0, len(messages), 10):
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(messages[i : i + 10])]
        sqs.send_message_batch(QueueUrl=QUEUE, Entries=entries)
