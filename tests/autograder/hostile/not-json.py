# line: not UTF-8
# does: A document of another program under a notebook's name.
# refused: not-json
# make: a_word_document
