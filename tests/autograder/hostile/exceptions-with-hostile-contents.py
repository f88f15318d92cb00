# line: ValueError raised by json.loads
# does: A ValueError, as it should be, that holds itself and what cannot be shown; and a group of exceptions without end.
# course: avisos
# gets: all but test-total

# %% keys
class Bad(ValueError):
    def __init__(self, *args):
        super().__init__(*args)
        self.itself = self
        self.__cause__ = self
        self.__notes__ = [self, "a note"]

    def __str__(self):
        raise SystemExit("no text")

    __repr__ = __str__

    def __del__(self):
        raise SystemExit("deleted")


def keys(body):
    try:
        return [record["key"] for record in json.loads(body)["Records"]]
    except ValueError as error:
        held = [error, open("/dev/null"), type, lambda: 0]
        held.append(held)
        raise Bad(held, {"a": held}, *range(1000)) from error

# %% total
def total(amounts):
    group = ExceptionGroup("all", [ValueError("one")])
    for n in range(500):
        group = ExceptionGroup(str(n), [group, ValueError(group)])
    raise group
