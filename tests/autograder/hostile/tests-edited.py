# line: test cell edited
# does: Nothing but `pass` in each test.
# gets: wrong
# answers: wrong
# notes: edited:test1, edited:test2, edited:test3
# make: tests_edited
