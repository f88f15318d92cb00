# line: a generator as result
# does: Yields the keys one by one; an error comes when the first is asked for.
# course: avisos
# gets: all

# %% keys
def keys(body):
    for record in json.loads(body)["Records"]:
        yield record["key"]
