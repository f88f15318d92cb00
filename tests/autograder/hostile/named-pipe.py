# line: symlink
# does: A pipe in the place of the notebook: whoever opens it waits for ever.
# refused: not-a-file
# make: pipe
# needs: posix
