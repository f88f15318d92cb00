# line: warnings inside a test
# does: A function that warns and writes to stderr while the test runs.
# gets: all

# %% sol2
def send(messages):
    import sys
    import warnings

    warnings.warn("in batches of ten", stacklevel=1)
    warnings.warn("old", DeprecationWarning, stacklevel=1)
    print("aviso", file=sys.stderr)
    for i in range(0, len(messages), 10):
        entries = [{"Id": str(n), "MessageBody": body} for n, body in enumerate(messages[i : i + 10])]
        sqs.send_message_batch(QueueUrl=QUEUE, Entries=entries)
