# line: a json.py beside the notebook
# does: Modules beside the notebook with the names of ones that everybody needs.
# gets: all

# %% own before sol3
import importlib
import json
import sys

print(json.__file__, sys.path[:1])

# %% file json.py
raise SystemExit("this is not the json that you look for")

# %% file boto3.py
raise SystemExit("nor the boto3")

# %% file sitecustomize.py
raise SystemExit("nor this")
