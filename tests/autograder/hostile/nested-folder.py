# line: emoji file name
# does: The notebook in folders of its own, as a zip file brings it.
# gets: all
# notes: renamed
# make: nested_folder
