# does: While the examiner tests it, sends the invigilator outputs of 30 MB that nobody waits for.
# gets: all but test3
# limits: test3=protocol|memory|time
# settings: cell_seconds=20 grace_seconds=1

# %% sol3
def handler(event, context=None):
    import gc

    [control] = [thing for thing in gc.get_objects() if type(thing).__name__ == "Peer" and thing.name == "invigilator"]
    message = {"msg_type": "update_display_data", "content": {"data": {"a": "[" * 20_000_000}}, "metadata": {}}
    for _ in range(1000):
        control.notify("output", message)
