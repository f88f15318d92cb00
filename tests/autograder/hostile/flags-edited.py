# line: flags edited
# does: Says in the metadata that a test is no test.
# gets: wrong
# answers: wrong
# notes: settings:test1, settings:test3
# make: flags_edited
