# line: deep recursion
# does: A function that calls itself without end.
# gets: all but test3

# %% sol3
def handler(event, context=None):
    return handler(event, context)
