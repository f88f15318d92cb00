# line: test cell retyped
# does: The tests made into Markdown and raw text.
# gets: wrong
# answers: wrong
# notes: type:test1, type:test2, type:test3
# make: tests_retyped
