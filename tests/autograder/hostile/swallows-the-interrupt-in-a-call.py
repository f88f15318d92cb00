# line: loop that swallows the interrupt
# does: A function that catches every interrupt and goes on.
# gets: all but test3
# limits: test3=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol3
def handler(event, context=None):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
