# line: test cell deleted
# does: All tests deleted, over wrong answers.
# gets: wrong
# answers: wrong
# notes: missing:test1, missing:test2, missing:test3
# make: tests_deleted
