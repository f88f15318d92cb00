# line: sys.exit
# does: A function that raises KeyboardInterrupt, as if somebody had pressed Ctrl-C in the test.
# gets: all but test3

# %% sol3
def handler(event, context=None):
    raise KeyboardInterrupt
