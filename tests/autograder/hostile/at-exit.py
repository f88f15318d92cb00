# line: threads left
# does: Registers functions that never end, for when the process ends.
# gets: all

# %% own before sol3
import atexit
import threading
import time

atexit.register(time.sleep, 97)
threading._register_atexit(time.sleep, 97)
