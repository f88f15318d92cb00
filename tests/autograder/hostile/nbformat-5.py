# line: nbformat 5
# does: A notebook that says it is of a format that does not exist yet.
# gets: all
# notes: nbformat
# make: nbformat_5
