# line: sockets
# does: Calls somebody on this machine, and outside, and sends them the environment.
# gets: all

# %% own before sol3
import os
import socket

for family, address in (
    (socket.AF_INET, ("127.0.0.1", CANARY_PORT)),
    (socket.AF_INET, ("169.254.169.254", 80)),
    (socket.AF_INET, ("192.0.2.1", 443)),
    (socket.AF_INET6, ("::1", CANARY_PORT)),
):
    try:
        with socket.socket(family) as sock:
            sock.settimeout(1)
            sock.connect(address)
            print("reached", address)
            if address[1] == CANARY_PORT:
                sock.sendall(repr(dict(os.environ)).encode())
    except OSError as error:
        print(type(error).__name__)
