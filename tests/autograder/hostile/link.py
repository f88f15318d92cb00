# line: symlink
# does: A link to the teacher's source in the place of the notebook.
# refused: link
# make: link
# needs: posix
