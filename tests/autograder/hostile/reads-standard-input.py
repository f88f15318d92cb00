# line: input()
# does: Reads the standard input without Jupyter.
# gets: all
# settings: cell_seconds=5 grace_seconds=1

# %% own before sol3
import os
import sys

print(sys.stdin.read())
print(os.read(0, 10))
