# line: environment
# does: Prints the environment: its own, and what the system keeps of each process.
# gets: all

# %% own before sol3
import glob
import os

print(dict(os.environ))
for path in glob.glob("/proc/*/environ"):
    try:
        print(path, open(path, "rb").read())
    except OSError:
        pass
