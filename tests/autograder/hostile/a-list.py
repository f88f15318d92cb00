# line: truncated
# does: JSON, but a list.
# refused: not-a-notebook
# make: a_list
