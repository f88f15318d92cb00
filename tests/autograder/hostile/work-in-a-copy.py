# line: emoji file name
# does: The released file as it was, and the work in a copy beside it.
# gets: all
# notes: other-file
# make: blank_and_copy
