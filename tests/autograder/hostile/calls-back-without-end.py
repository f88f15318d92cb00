# line: deep recursion
# does: A result whose length and items ask for themselves again and again.
# gets: all but test1 test3
# settings: cell_seconds=5 grace_seconds=1

# %% sol1
class Endless:
    def __iter__(self):
        while True:
            yield "{}"

    def __len__(self):
        return len(self)


def event_to_messages(event):
    return Endless()

# %% sol3
def handler(event, context=None):
    return Endless()
