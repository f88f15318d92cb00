# line: SystemExit in __del__
# does: Leaves objects that raise SystemExit when they are thrown away.
# gets: all

# %% own before sol3
class Leaves:
    def __del__(self):
        raise SystemExit(0)


Leaves()
kept = Leaves()
cycle = [Leaves()]
cycle.append(cycle)

# %% own before test3
del kept, cycle
