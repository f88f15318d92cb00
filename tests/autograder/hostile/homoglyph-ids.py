# line: homoglyph names
# does: Letters of another script in the ids of a test and of an answer.
# gets: all
# notes: recognised:test1, recognised:sol3
# make: homoglyph_ids
