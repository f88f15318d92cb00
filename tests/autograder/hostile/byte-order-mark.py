# line: BOM
# does: A mark for the byte order before a file in UTF-8.
# gets: all
# notes: bom
# make: bom
