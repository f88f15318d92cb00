# line: memory bomb
# does: Asks for more memory than there is, bit by bit.
# gets: all but test3
# limits: sol3=memory
# settings: memory_bytes=1610612736
# needs: jail

# %% sol3
hoard = []
while True:
    hoard.append(bytearray(64 << 20))
