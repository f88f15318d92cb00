# line: killing the parent
# does: Sends itself a signal that ends it.
# gets: all but test3
# limits: sol3=signal
# needs: posix, jail

# %% sol3
import os
import signal

os.kill(os.getpid(), signal.SIGKILL)
