# line: not UTF-8
# does: A file in Latin-1, as an old editor saves it.
# course: avisos
# gets: all
# notes: encoding
# make: latin_1

# %% own before setup
# Preparación: el año, la canción y el corazón.
