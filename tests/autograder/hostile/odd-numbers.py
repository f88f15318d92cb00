# line: not UTF-8
# does: NaN, Infinity and a number of 6,000 digits in the file.
# gets: all
# make: odd_numbers
