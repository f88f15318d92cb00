# line: symlink
# does: A folder in the place of the notebook.
# refused: folder
# make: folder
