# line: memory bomb
# does: Returns a text so long that nobody can read it.
# gets: all but test3
# settings: cell_seconds=10
# needs: jail

# %% sol3
def handler(event, context=None):
    return {"stored": "2" * (200 << 20)}
