# line: points edited
# does: Gives the tests other points, in the notebook's metadata.
# gets: wrong
# answers: wrong
# notes: settings:test1, settings:test3
# make: points_edited
