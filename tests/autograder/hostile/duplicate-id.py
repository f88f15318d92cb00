# line: duplicate id
# does: An answer cell copied, with a first try in the copy before.
# gets: all
# notes: duplicate-answer:sol2, cell-ids
# make: duplicate_answer
