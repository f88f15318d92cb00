# line: fork bomb
# does: Starts threads without end.
# gets: all but test3
# limits: sol3=processes|time|memory
# settings: cell_seconds=3 grace_seconds=1 processes=32
# needs: jail

# %% sol3
import threading
import time

while True:
    try:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    except RuntimeError:
        pass
