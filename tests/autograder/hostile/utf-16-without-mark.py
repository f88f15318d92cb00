# line: not UTF-8
# does: A file in UTF-16 without a mark for its byte order.
# gets: all
# notes: encoding
# make: utf_16_without_mark
