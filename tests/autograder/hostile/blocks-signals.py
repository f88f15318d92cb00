# line: blocked signals
# does: Blocks all signals of its thread, then never ends.
# gets: all but test3
# limits: sol3=time
# settings: cell_seconds=2 grace_seconds=1
# needs: posix

# %% sol3
import signal

signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
while True:
    pass
