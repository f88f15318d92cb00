# line: NFD file name
# does: A name whose accents are letters of their own, as a Mac writes them.
# gets: all
# notes: renamed
# make: nfd_name
