# line: threads left
# does: Leaves threads that never end, and that print.
# gets: all

# %% own before sol3
import threading
import time


def stay():
    while True:
        time.sleep(0.01)
        print("still here")


for _ in range(3):
    threading.Thread(target=stay).start()
