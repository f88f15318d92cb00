# does: A thread writes frames of its own making to the examiner: answers to each call, requests inside of each call.
# gets: all but test3
# settings: cell_seconds=5 grace_seconds=1

# %% sol3
def handler(event, context=None):
    import gc
    import json
    import struct
    import threading

    [exam] = [thing for thing in gc.get_objects() if type(thing).__name__ == "Peer" and thing.name == "examiner"]

    def write(**frame):
        text = json.dumps({"id": None, "within": None, "head": {}, **frame}).encode()
        exam._connection.send_bytes(struct.pack("<I", len(text)) + text)

    def forge():
        for number in range(2000):
            write(op="do", id=number, within=number, head={"handle": number, "what": "get", "share": "c1"})
            write(op="answer", id=number, head={"root": True, "nodes": []})

    thread = threading.Thread(target=forge)
    thread.start()
    thread.join()
    return True
