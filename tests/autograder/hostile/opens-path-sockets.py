# line: sockets
# does: Calls the programs that listen at a path, and under an abstract name.
# gets: all
# needs: posix

# %% own before sol3
import socket

names = [CANARY_FOLDER + "/listener.sock", "/var/run/docker.sock", "/run/systemd/private", "\0canary"]
try:
    with open("/proc/net/unix") as lines:
        names += [line.split()[-1] for line in lines if "/" in line]
except OSError as error:
    print(type(error).__name__)
for name in names:
    try:
        with socket.socket(socket.AF_UNIX) as sock:
            sock.settimeout(1)
            sock.connect(name)
            print("reached", name)
    except OSError as error:
        print(type(error).__name__)
