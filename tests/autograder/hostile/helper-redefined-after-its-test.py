# line: a helper redefined after its test
# does: Binds helpers of the set-up cell, of a test and of its own anew, after they were used.
# gets: all

# %% own before sol1
def decoded(text):
    from urllib.parse import unquote_plus

    return unquote_plus(text)

# %% sol1
def event_to_messages(event):
    found = [r["s3"] for r in event["Records"] if r["eventName"].startswith("ObjectCreated")]
    return [json.dumps({"bucket": s3["bucket"]["name"], "key": decoded(s3["object"]["key"])}) for s3 in found]

# %% own before sol2
def decoded(text):
    return "other"

# %% own before sol3
def s3_event(*keys):
    return {"Records": []}


def _n():
    return 25
