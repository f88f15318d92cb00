# line: emoji file name
# does: A file with a name of the student's own, with a picture in it.
# gets: all
# notes: renamed
# make: emoji_name
