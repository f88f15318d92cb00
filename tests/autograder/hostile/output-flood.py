# line: output flood
# does: Prints without end.
# gets: all but test3
# limits: sol3=time|output
# settings: cell_seconds=3 grace_seconds=1

# %% sol3
while True:
    print("x" * 1000)
