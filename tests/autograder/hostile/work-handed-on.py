# line: work handed on to a helper
# does: Hands the test's function on to a helper, to functools and to map.
# course: avisos
# gets: all

# %% each
import functools


def attempt(work, value):
    try:
        return [work(value)]
    except ValueError:
        return []


def each(work, values):
    tried = map(functools.partial(attempt, work), values)
    return [result for results in tried for result in results]
