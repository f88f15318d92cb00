# line: test cell deleted
# does: The answer cells deleted, and all answers in one cell of the student's own.
# gets: all
# notes: answer-missing:sol2, answer-missing:sol3
# make: answers_deleted
