# line: a %regex% that never ends
# does: Searches the log with a regular expression that takes for ever.
# course: avisos
# gets: all but test-search
# limits: test-search=cloud|time
# settings: request_seconds=2 cell_seconds=10

# %% search
def search(pattern):
    import time

    line = {"timestamp": int(time.time() * 1000), "message": "a" * 2000}
    logs.put_log_events(logGroupName="avisos", logStreamName="hoy", logEvents=[line])
    found = logs.filter_log_events(logGroupName="avisos", filterPattern="%" + "a*" * 30 + "b%")
    return [event["message"] for event in found["events"]]
