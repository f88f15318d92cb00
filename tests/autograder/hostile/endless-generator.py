# line: a generator as result
# does: Returns a generator that never ends.
# course: avisos
# gets: all but test-keys
# limits: test-keys=time
# settings: cell_seconds=8 grace_seconds=1

# %% keys
def keys(body):
    while True:
        yield body
