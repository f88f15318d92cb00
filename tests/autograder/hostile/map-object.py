# line: a map as result
# does: Returns a map object, and a view of a dict.
# course: avisos
# gets: all

# %% keys
from operator import itemgetter


def keys(body):
    return map(itemgetter("key"), json.loads(body)["Records"])

# %% search
def search(pattern):
    found = logs.filter_log_events(logGroupName="avisos", filterPattern=pattern)
    return list(map(itemgetter("message"), found["events"]))
