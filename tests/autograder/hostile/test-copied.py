# line: duplicate id
# does: A test copied and left in the notebook. Run twice, it would fail the second time.
# gets: all
# notes: duplicate:test3, cell-ids
# make: a_test_copied
