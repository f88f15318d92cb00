# line: a deployed function that reads gradebook, environment and network
# does: The deployed function answers rightly, and looks for gradebook, environment and network.
# course: avisos
# gets: all

# %% lambda-source
lambda_source = '''
import glob
import os
import socket

for pattern in (COURSE_FOLDER + "/**", CANARY_FOLDER + "/*", "/proc/*/environ"):
    for path in glob.glob(pattern, recursive=True):
        try:
            print(path, open(path, "rb").read())
        except OSError as error:
            print(type(error).__name__)
print(dict(os.environ))


def handler(event, context):
    try:
        with socket.create_connection(("127.0.0.1", CANARY_PORT), 1) as sock:
            sock.sendall(repr(dict(os.environ)).encode())
    except OSError as error:
        print(type(error).__name__)
    try:
        open(os.path.join(CANARY_FOLDER, "written.txt"), "w").write("written by a function")
    except OSError as error:
        print(type(error).__name__)
    return {"twice": event["n"] * 2}
'''
