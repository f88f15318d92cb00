# line: deep recursion
# does: Lifts the limit of recursion and overflows the stack below Python.
# gets: all but test3
# limits: test3=signal|memory
# needs: jail

# %% sol3
def handler(event, context=None):
    import sys

    sys.setrecursionlimit(1 << 30)
    nested = []
    for _ in range(1_000_000):
        nested = [nested]
    return {"stored": repr(nested)}
