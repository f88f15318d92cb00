# line: nbformat 3
# does: A notebook of an old format.
# gets: all
# notes: nbformat, kernel-missing
# make: nbformat_3
