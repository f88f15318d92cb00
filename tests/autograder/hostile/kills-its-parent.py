# line: killing the parent
# does: Tries to end the process that started it.
# gets: all
# needs: posix, jail

# %% own before sol3
import os
import signal

for number in (signal.SIGTERM, signal.SIGKILL):
    if os.getppid() > 1:
        try:
            os.kill(os.getppid(), number)
        except OSError as error:
            print(error)
