"""What `aws` starts: it hands the command to the warm process, with its files, folder and environment, and waits for its end.

Also a program of its own, `python -I -S client.py SOCKET ENDPOINT [ARGUMENT ...]`. Each import costs every command some
milliseconds, so there are few, and none of this package. It talks to the socket that it is told, and nothing else.
"""

from __future__ import annotations

import _socket
import os
import sys
from signal import SIG_DFL, SIG_IGN, Signals, getsignal, signal

__all__ = ["run"]

# What a terminal, or who ends a terminal, says to the program in the foreground. Ctrl+Z is a stop of its own.
_HANDED_ON = ("SIGINT", "SIGQUIT", "SIGTERM", "SIGHUP", "SIGWINCH", "SIGUSR1", "SIGUSR2")


def run(path: str, endpoint: str, arguments: list[str]) -> int:
    """Run one `aws` command and return its exit status; a signal that ended the command ends this process too.

    `path`: the warm process's socket. Where nobody answers there, the command runs in a process of its own, with the same effect.
    """
    # A page of help belongs to a terminal: its pager needs one that it can control.
    connection = None if "help" in arguments else _connect(path)
    if connection is None or not _hand_over(connection, [endpoint, *arguments]):
        return _run_cold(endpoint, arguments)
    kind, status = _wait(connection)
    if kind == b"s":
        if status != Signals.SIGKILL:
            signal(status, SIG_DFL)
        os.kill(os.getpid(), status)  # so that a shell sees what ended it
        return 128 + status
    return status


def _connect(path: str) -> _socket.socket | None:
    if not path or not hasattr(os, "fork"):
        return None
    connection = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        connection.connect(path)
    except OSError:
        connection.close()
        return None
    return connection


def _hand_over(connection: _socket.socket, words: list[str]) -> bool:
    """Send the command. False: it was not taken, and had no effect."""
    umask = os.umask(0o077)
    os.umask(umask)
    variables = [name + b"=" + value for name, value in os.environb.items()]
    parts = [str(umask).encode(), str(len(words)).encode(), *map(os.fsencode, words), *variables]
    message = b"\0".join(parts)
    try:
        folder = os.open(".", os.O_RDONLY)
        files = b"".join(number.to_bytes(4, sys.byteorder) for number in (0, 1, 2, folder))
        header = len(message).to_bytes(8, "big")
        connection.sendmsg([header], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, files)])
        connection.sendall(message)
        os.close(folder)
        return connection.recv(1) == b"+"
    except OSError:
        return False


def _wait(connection: _socket.socket) -> tuple[bytes, int]:
    """Hand on what the terminal says until the command ends; return b"e" and its exit status, or b"s" and a signal."""

    def hand_on(number: int, frame: object) -> None:
        try:  # noqa: SIM105  # contextlib would cost each command its import
            connection.sendall(bytes([number]))
        except OSError:
            pass  # it has just ended

    def stop(number: int, frame: object) -> None:
        hand_on(Signals.SIGSTOP, frame)
        os.kill(os.getpid(), Signals.SIGSTOP)
        hand_on(Signals.SIGCONT, frame)  # here it goes on, and so does the command

    for number in (Signals[name] for name in _HANDED_ON):
        if getsignal(number) != SIG_IGN:  # as nohup leaves it, or `&`
            signal(number, hand_on)
    signal(Signals.SIGTSTP, stop)
    answer = b""
    try:
        while len(answer) < 2:
            got = connection.recv(2 - len(answer))
            if not got:
                break
            answer += got
    except OSError:
        pass
    if len(answer) < 2:
        _say_that_it_broke()
        return b"e", 255
    return answer[:1], answer[1]


def _say_that_it_broke() -> None:
    """The command may have had its effect: to run it again could do it twice."""
    sys.path.insert(0, os.path.abspath(__file__ + "/../../../.."))
    from bentocola.cli.language import say, tell

    tell(say("The process behind this aws command has ended. Look whether the command took effect, and run it again."))


def _run_cold(endpoint: str, arguments: list[str]) -> int:
    command = [sys.executable, "-I", "-m", "bentocola.cli.aws.cold", endpoint, *arguments]
    if sys.platform != "win32":
        os.execv(sys.executable, command)
    import subprocess  # exec would give the terminal back at once

    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2], sys.argv[3:]))
