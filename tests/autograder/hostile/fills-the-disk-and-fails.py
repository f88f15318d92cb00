# line: filling the disk
# does: Writes without end where the answer should be.
# gets: all but test3
# limits: sol3=disk
# needs: jail

# %% sol3
n = 0
while True:
    n += 1
    with open(f"file-{n}", "wb") as file:
        file.write(bytes(1 << 20))
