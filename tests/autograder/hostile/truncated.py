# line: truncated
# does: Half a notebook.
# refused: truncated
# make: truncated
