# line: names of the set-up cell bound anew
# does: Binds the cloud, the prefix and the helpers of the set-up cell to something else, and answers rightly.
# course: avisos
# gets: all

# %% own before keys
cloud = None
prefix = "otro/"


def key_of(customer, number):
    return "siempre/igual.json"


def body_of(*keys):
    return "{}"


def deploy(name, source):
    raise RuntimeError("no")


awslambda = None
