# line: infinite loop
# does: A function that never comes back, when the test calls it.
# gets: all but test3
# limits: test3=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol3
def handler(event, context=None):
    while True:
        pass
