# line: names of the set-up cell bound anew
# does: Answers the examiner's question for a name with an object of the examiner's own, or one that was never handed over.
# gets: wrong
# answers: wrong

# %% own before test3
import gc

[exam] = [thing for thing in gc.get_objects() if type(thing).__name__ == "Peer" and thing.name == "examiner"]
asked = []


def forged(head, body):
    asked.append(head.get("name"))
    return {"root": [0], "nodes": [["own", len(asked)]], "changes": []}


exam._handlers["lookup"] = forged
