# line: filling the disk
# does: Writes until nothing fits any more, tidies up, and answers rightly.
# gets: all
# needs: jail

# %% own before sol3
import os

try:
    with open("full", "wb") as file:
        while True:
            file.write(bytes(1 << 20))
except OSError as error:
    print(type(error).__name__)
os.remove("full")
