# line: infinite loop
# does: A cell that never ends, where the answer should be.
# gets: all but test3
# limits: sol3=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol3
while True:
    pass
