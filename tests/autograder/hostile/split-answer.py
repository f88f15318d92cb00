# line: duplicate id
# does: An answer cell split in two; both halves have its id, and both are needed.
# gets: all
# notes: duplicate-answer:sol1
# make: split_answer
