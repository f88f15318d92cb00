# line: CRLF
# does: Lines that end as on Windows, in the file and in the cells.
# gets: all
# notes: line-ends
# make: crlf
