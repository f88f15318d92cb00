# line: test cell skipped by tag
# does: The tag skip-execution on each test.
# gets: wrong
# answers: wrong
# notes: settings:test1, settings:test2, settings:test3
# make: skipped_by_tag
