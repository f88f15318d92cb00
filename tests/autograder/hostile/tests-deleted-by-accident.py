# line: test cell deleted
# does: All tests deleted, over right answers that need a cell of the student's own.
# gets: all
# notes: missing:test1, missing:test2, missing:test3
# make: tests_deleted

# %% sol1
def event_to_messages(event):
    return [as_message(record["s3"]) for record in event["Records"] if "Created" in record["eventName"]]

# %% own
def as_message(s3):
    from urllib.parse import unquote_plus

    return json.dumps({"bucket": s3["bucket"]["name"], "key": unquote_plus(s3["object"]["key"])})
