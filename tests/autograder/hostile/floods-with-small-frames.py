# does: While it runs a cell, sends the invigilator frame after frame that is deep and small, from threads.
# gets: all
# limits: own=protocol|memory|time|output
# settings: cell_seconds=5 grace_seconds=1

# %% own
import gc
import threading

[control] = [thing for thing in gc.get_objects() if type(thing).__name__ == "Peer" and thing.name == "invigilator"]
content = [[] for _ in range(1_000_000)]


def flood():
    while True:
        control.notify("output", {"msg_type": "comm_msg", "content": {"comm_id": "a", "data": {"a": content}}})


for _ in range(4):
    threading.Thread(target=flood).start()
flood()
