# line: a 100 MB notebook
# does: A notebook of 100 MB.
# refused: too-large
# make: huge
