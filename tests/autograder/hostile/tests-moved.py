# line: test cell edited
# does: The tests moved before the answers.
# gets: all
# notes: moved:test1, moved:test2, moved:test3
# make: tests_first
