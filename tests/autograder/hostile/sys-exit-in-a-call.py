# line: sys.exit
# does: A function that calls sys.exit.
# gets: all but test3

# %% sol3
def handler(event, context=None):
    import sys

    sys.exit(0)
