# line: output flood
# does: Prints a hundred thousand short lines, and then answers rightly.
# gets: all
# limits: own=output

# %% own before sol3
for n in range(100_000):
    print(n)
