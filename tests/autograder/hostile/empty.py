# line: empty
# does: An empty file.
# refused: empty
# make: empty
