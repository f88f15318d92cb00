# line: deep recursion
# does: Returns lists in lists in lists, and one that contains itself.
# gets: all but test1 test3

# %% sol1
def event_to_messages(event):
    endless = []
    endless.append(endless)
    return endless

# %% sol3
def handler(event, context=None):
    nested = []
    for _ in range(100_000):
        nested = [nested]
    return {"stored": nested}
