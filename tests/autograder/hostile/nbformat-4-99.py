# line: nbformat 5
# does: A notebook of a minor version of the future, with things in its cells that nobody knows.
# gets: all
# make: future_minor
