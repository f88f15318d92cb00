# line: memory bomb
# does: A function that asks for more memory than there is, at once.
# gets: all but test3
# limits: test3=memory
# settings: memory_bytes=1610612736
# needs: jail

# %% sol3
def handler(event, context=None):
    return {"stored": len(bytearray(1 << 40))}
