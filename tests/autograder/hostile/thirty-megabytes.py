# line: a 30 MB print
# does: Prints 30 MB, and then answers rightly.
# gets: all
# limits: own=output

# %% own before sol3
print("x" * (30 << 20))
