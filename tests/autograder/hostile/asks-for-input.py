# line: input()
# does: Waits for somebody to type.
# gets: all

# %% own before sol3
name = input("¿Cómo te llamas? ")

# %% own
import getpass

word = getpass.getpass()
