# line: a generator as result
# does: Right answers from iterators that go on after their end, and that raise when they are deleted.
# course: avisos
# gets: all

# %% keys
class Again:
    def __init__(self, found):
        self.found = list(found)
        self.at = 0

    def __iter__(self):
        return self

    def __next__(self):
        self.at += 1
        if self.at == len(self.found) + 1:
            raise StopIteration(self)
        return self.found[(self.at - 1) % len(self.found)]

    def __del__(self):
        raise KeyboardInterrupt


def keys(body):
    return Again(record["key"] for record in json.loads(body)["Records"])
