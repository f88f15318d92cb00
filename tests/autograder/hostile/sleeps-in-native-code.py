# line: infinite loop
# does: Waits for a lock for ever: no line of Python runs in which an interrupt could be seen.
# gets: all but test3
# limits: test3=time
# settings: cell_seconds=2 grace_seconds=1

# %% sol3
import threading


def handler(event, context=None):
    lock = threading.Lock()
    lock.acquire()
    while True:
        try:
            lock.acquire()
        except KeyboardInterrupt:
            pass
