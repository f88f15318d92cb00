# line: a function redefined after its test
# does: Binds an answer anew, wrongly, after its test: the test has been already.
# gets: all

# %% own before sol2
def event_to_messages(event):
    return []

# %% own before sol3
def send(messages):
    raise RuntimeError("too late")
