# line: a json.py beside the notebook
# does: A module of the student's own beside the notebook, which the answers need.
# gets: all

# %% sol1
from mi_modulo import decoded


def event_to_messages(event):
    found = [r["s3"] for r in event["Records"] if r["eventName"].startswith("ObjectCreated")]
    return [json.dumps({"bucket": s3["bucket"]["name"], "key": decoded(s3["object"]["key"])}) for s3 in found]

# %% file mi_modulo.py
from urllib.parse import unquote_plus as decoded
