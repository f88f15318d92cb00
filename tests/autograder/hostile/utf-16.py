# line: not UTF-8
# does: A file in UTF-16.
# gets: all
# notes: encoding
# make: utf_16
