# line: not UTF-8
# does: A character cut in two, in a comment.
# gets: all
# notes: characters
# make: half_characters

# %% own before sol1
# año
