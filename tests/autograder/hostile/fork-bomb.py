# line: fork bomb
# does: Forks without end, each child too.
# gets: all but test3
# limits: sol3=processes|time|memory
# settings: cell_seconds=3 grace_seconds=1 processes=32
# needs: posix, jail

# %% sol3
import os

while True:
    try:
        os.fork()
    except OSError:
        pass
