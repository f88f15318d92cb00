# line: daemons left
# does: Leaves processes that detached themselves.
# gets: all
# needs: posix, jail

# %% own before sol3
import os
import subprocess
import time

subprocess.Popen(["sleep", "97"], start_new_session=True)
if os.fork() == 0:
    os.setsid()
    if os.fork() == 0:
        os.close(1)
        time.sleep(97)
    os._exit(0)
