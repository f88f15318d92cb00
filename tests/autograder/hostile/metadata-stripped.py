# line: duplicate id
# does: A notebook without any of nbgrader's metadata, as some programs save it.
# gets: all
# notes: recognised:setup, recognised:sol1, recognised:test1, recognised:sol2, recognised:test2, recognised:sol3, recognised:test3
# make: metadata_stripped
