# line: test cell retyped
# does: An answer whose cell became Markdown by a slip of the finger.
# gets: all
# notes: answer-type:sol2
# make: answer_retyped
