# does: Returns an iterable that says it is longer than any memory.
# course: avisos
# gets: all but test-keys

# %% keys
class Long:
    def __init__(self, found):
        self.found = found

    def __len__(self):
        return 1 << 40

    def __iter__(self):
        return iter(self.found)


def keys(body):
    return Long([record["key"] for record in json.loads(body)["Records"]])
