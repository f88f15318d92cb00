# line: environment
# does: Closes each file that is open, in the place of the last answer.
# gets: all but test3
# settings: cell_seconds=3 grace_seconds=1
# needs: posix

# %% sol3
import os

os.closerange(0, 1 << 16)
