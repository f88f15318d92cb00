# line: escaping name
# does: A file name that on Windows leads out of the folder.
# gets: all
# notes: renamed
# make: escaping_name
# needs: posix
