# line: DNS
# does: Asks for an address, and carries a secret in the question.
# gets: all
# settings: cell_seconds=10

# %% own before sol3
import os
import socket

for host in ("example.com", "localhost", f"{len(os.environ)}.example.com"):
    try:
        print(socket.getaddrinfo(host, 80))
    except OSError as error:
        print(type(error).__name__)
