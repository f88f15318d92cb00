# line: outputs filled in beforehand
# does: Full points as the outputs of the tests.
# gets: wrong
# answers: wrong
# make: outputs_filled_in
