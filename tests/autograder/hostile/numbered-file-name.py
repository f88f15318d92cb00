# line: emoji file name
# does: The name that a browser and a file manager give to a copy.
# gets: all
# notes: renamed
# make: numbered_name
