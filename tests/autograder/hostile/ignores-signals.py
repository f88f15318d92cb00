# line: blocked signals
# does: Ignores each signal that can be ignored, then never ends in a call.
# gets: all but test3
# limits: test3=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol3
import signal

for number in signal.valid_signals():
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass


def handler(event, context=None):
    while True:
        pass
