# line: loop that swallows the interrupt
# does: The second answer has to be killed; what the first one earned before stays.
# gets: all but test2 test3
# limits: sol2=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol2
while True:
    try:
        while True:
            pass
    except BaseException:
        pass
