# line: loop that swallows the interrupt
# does: A cell that catches every interrupt and goes on.
# gets: all but test3
# limits: sol3=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol3
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
