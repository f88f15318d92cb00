# line: patching time
# does: Stops Python's clocks, so that no time seems to pass, and never ends.
# gets: all but test3
# limits: test3=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol3
import signal
import time

time.time = time.monotonic = time.perf_counter = lambda: 0.0
signal.alarm(0)
signal.setitimer(signal.ITIMER_REAL, 0)


def handler(event, context=None):
    while True:
        pass
