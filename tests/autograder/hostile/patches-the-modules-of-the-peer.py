# line: patching builtins
# does: Puts something else into the standard library's modules that the examiner's pipe is made of. The answers are right.
# gets: all

# %% own before sol1
import base64
import contextlib
import itertools
import os
import queue
import signal
import socket
import struct
import threading
import weakref


class NoThread(threading.Thread):
    def start(self):
        raise RuntimeError("no threads here")


os.getpid = lambda: 12
threading.Thread = NoThread
threading.current_thread = threading.main_thread
for module, names in (
    (os, "fstat dup close _exit"),
    (threading, "Event local"),
    (queue, "SimpleQueue Queue"),
    (signal, "default_int_handler"),
    (socket, "socket"),
    (contextlib, "suppress contextmanager"),
    (itertools, "count"),
    (base64, "b64encode b64decode"),
    (struct, "Struct"),
    (weakref, "WeakValueDictionary"),
):
    for name in names.split():
        setattr(module, name, None)
