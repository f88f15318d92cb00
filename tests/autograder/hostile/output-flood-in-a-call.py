# line: output flood
# does: A function that prints without end while the test waits for it.
# gets: all but test3
# limits: test3=time|output
# settings: cell_seconds=3 grace_seconds=1

# %% sol3
def handler(event, context=None):
    while True:
        print("x" * 1000)
