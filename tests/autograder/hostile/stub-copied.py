# line: duplicate id
# does: A copy of the released stub left behind the answer.
# gets: all
# notes: stub-copy:sol3, cell-ids
# make: stub_copied
