# line: homoglyph names
# does: A letter of another script in the name of the file.
# gets: all
# notes: renamed
# make: homoglyph_name
