"""Nothing of the teacher's is within a room's reach: files, network, processes, environment. Outside, each attempt works."""

from __future__ import annotations

import _socket
import ctypes
import multiprocessing
import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from .jailed_rooms import ORDINARY, Kind, become_ordinary, kinds, lay_open, needs, result

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has rooms with locks.")

SECRET = "canary-4f1c"
_PTRACE_ATTACH, _PTRACE_SEIZE = 16, 0x4206


@dataclass
class Canaries:
    """What a room must not reach: paths and numbers that its attempts are told."""

    folder: str
    tcp: int = 0
    udp: int = 0
    abstract: str = ""
    process: int = 0
    parent: int = 0
    descriptor: int = 0
    terminal: str = ""
    owner: int = 0
    files: list[str] = field(default_factory=list)


@pytest.fixture
def nest() -> Iterator[tuple[Canaries, dict[str, Any]]]:
    """Canary files that everybody may read and write, listeners on loopback, and a process with a secret in its environment."""
    with tempfile.TemporaryDirectory(prefix="canary-", dir="/tmp") as path, os_level_objects(path) as held:
        yield held


class os_level_objects:  # noqa: N801 (read as a verb)
    """Make all of them in `path`."""

    def __init__(self, path: str) -> None:
        self.path = path

    def __enter__(self) -> tuple[Canaries, dict[str, Any]]:
        folder = Path(self.path)
        canaries = Canaries(self.path, parent=os.getpid())
        for name in ("loose.txt", "home/.aws/credentials", "course/gradebook.db", "course/source/ps1/ps1.ipynb"):
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(SECRET, encoding="utf-8")
            canaries.files.append(str(file))
        for found in (folder, *folder.rglob("*")):
            # As an ordinary teacher's own, so that nothing but the room's locks stands before them.
            if os.geteuid() == 0:
                os.chown(found, ORDINARY, ORDINARY)
            found.chmod(0o777 if found.is_dir() else 0o666)
        self.tcp = socket.create_server(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.path_socket, self.abstract = (socket.socket(socket.AF_UNIX) for _ in range(2))
        self.path_socket.bind(f"{self.path}/socket")
        os.chmod(f"{self.path}/socket", 0o777)
        canaries.abstract = f"\0{folder.name}"
        self.abstract.bind(canaries.abstract)
        self.datagrams = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.datagrams.bind(f"{self.path}/datagrams")
        os.chmod(f"{self.path}/datagrams", 0o777)
        for listener in (self.tcp, self.path_socket, self.abstract):
            listener.listen()
        for listener in (self.tcp, self.udp, self.path_socket, self.abstract, self.datagrams):
            listener.setblocking(False)
        canaries.tcp, canaries.udp = self.tcp.getsockname()[1], self.udp.getsockname()[1]
        self.process = subprocess.Popen(
            ["/bin/cat"],
            stdin=subprocess.PIPE,
            env={"CANARY": SECRET},
            cwd="/",
            preexec_fn=become_ordinary if os.geteuid() == 0 else None,
        )
        canaries.process = self.process.pid
        self.shared = Path("/dev/shm", folder.name)
        self.shared.write_text(SECRET, encoding="utf-8")
        self.shared.chmod(0o600)
        if os.geteuid() == 0:
            os.chown(self.shared, ORDINARY, ORDINARY)
        self.terminal = os.openpty()
        canaries.terminal = os.ttyname(self.terminal[1])
        os.chmod(canaries.terminal, 0o620)
        if os.geteuid() == 0:
            os.chown(canaries.terminal, ORDINARY, ORDINARY)
        canaries.owner = ORDINARY if os.geteuid() == 0 else os.geteuid()
        self.open = os.open(canaries.files[0], os.O_RDWR)
        os.set_inheritable(self.open, True)
        canaries.descriptor = self.open
        named = {"tcp": self.tcp, "udp": self.udp, "path": self.path_socket, "abstract": self.abstract}
        return canaries, {**named, "datagrams": self.datagrams}

    def __exit__(self, *exception: object) -> None:
        self.process.kill()
        self.shared.unlink()
        self.process.communicate()
        for descriptor in (self.open, *self.terminal):
            os.close(descriptor)
        for listener in (self.tcp, self.udp, self.path_socket, self.abstract, self.datagrams):
            listener.close()


def read_any(canaries: Canaries) -> None:
    found = []
    for path in canaries.files:
        try:
            found.append(Path(path).read_text(encoding="utf-8"))
        except OSError as error:
            last = error
    if not found:
        raise last


def through_a_link(canaries: Canaries) -> None:
    os.symlink(canaries.files[2], "link")
    Path("link").read_text(encoding="utf-8")


def connect(family: int, kind: int, address: Any) -> None:
    # Below the part of `socket` that the tests' guard against the network has replaced.
    made = _socket.socket(family, kind)
    made.settimeout(5)
    made.connect(address)
    made.send(b"hello")


def datagram_from_a_pair(canaries: Canaries) -> None:
    one, _ = socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)
    one.sendto(b"hello", f"{canaries.folder}/datagrams")


def environments(canaries: Canaries) -> None:
    refused = PermissionError("no environment with the canary")
    for pid in os.listdir("/proc"):
        try:
            if SECRET.encode() in Path(f"/proc/{pid}/environ").read_bytes():
                return
        except OSError:
            continue
    raise refused


def trace(canaries: Canaries) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.ptrace(_PTRACE_SEIZE, canaries.process, None, None) < 0:
        raise OSError(ctypes.get_errno(), "ptrace")


def signal_it(pid: int) -> None:
    os.kill(pid, signal.SIGCONT)


def write_memory(canaries: Canaries) -> None:
    with open(f"/proc/{canaries.process}/mem", "rb+"):
        pass


def listed(canaries: Canaries) -> None:
    assert os.listdir(canaries.folder)


def held_open(canaries: Canaries) -> None:
    os.lseek(canaries.descriptor, 0, os.SEEK_SET)
    if SECRET.encode() not in os.read(canaries.descriptor, 100):
        raise PermissionError("another file")


def change_mode(canaries: Canaries) -> None:
    """Where a change is pretended, the mode tells that there was none."""
    before = os.stat(canaries.files[1]).st_mode
    os.chmod(canaries.files[1], 0o640)
    if os.stat(canaries.files[1]).st_mode == before:
        raise PermissionError("pretended")
    os.chmod(canaries.files[1], before)


def change_times(canaries: Canaries) -> None:
    before = os.stat(canaries.files[1]).st_mtime
    os.utime(canaries.files[1], (1, 1))
    if os.stat(canaries.files[1]).st_mtime == before:
        raise PermissionError("pretended")


def renice(canaries: Canaries) -> None:
    os.setpriority(os.PRIO_PROCESS, canaries.process, 19)


def limit_another(canaries: Canaries) -> None:
    import resource

    resource.prlimit(canaries.process, resource.RLIMIT_NOFILE)


def write_to_the_terminal(canaries: Canaries) -> None:
    """In a room with a tree, the same name may be a terminal of its own."""
    with open(canaries.terminal, "w", encoding="utf-8") as terminal:
        if os.fstat(terminal.fileno()).st_uid != canaries.owner:
            raise PermissionError("another terminal")


def rename(canaries: Canaries) -> None:
    os.rename(f"{canaries.folder}/home", f"{canaries.folder}/away")
    os.rename(f"{canaries.folder}/away", f"{canaries.folder}/home")


ATTEMPTS: dict[str, Callable[[Canaries], object]] = {
    "read": read_any,
    "list": listed,
    "read through a link": through_a_link,
    "hard link": lambda c: os.link(c.files[0], f"{c.folder}/second-name"),
    "write": lambda c: Path(c.files[0]).write_text(SECRET, encoding="utf-8"),
    "create": lambda c: Path(c.folder, "new").write_text("new", encoding="utf-8"),
    "make a folder": lambda c: os.mkdir(f"{c.folder}/folder"),
    "rename": rename,
    "truncate": lambda c: os.truncate(c.files[0], 100),
    "change mode": change_mode,
    "change times": change_times,
    "enter": lambda c: os.listdir(os.open(c.folder, os.O_RDONLY)),
    "working folder of another": lambda c: os.listdir(f"/proc/{c.process}/cwd/"),
    "inherited descriptor": held_open,
    "terminal": write_to_the_terminal,
    "shared memory": lambda c: Path("/dev/shm", Path(c.folder).name).read_text(encoding="utf-8"),
    "tcp": lambda c: connect(socket.AF_INET, socket.SOCK_STREAM, ("127.0.0.1", c.tcp)),
    "udp, as a look-up of a name is": lambda c: connect(socket.AF_INET, socket.SOCK_DGRAM, ("127.0.0.1", c.udp)),
    "tcp over IPv6": lambda c: connect(socket.AF_INET6, socket.SOCK_STREAM, ("::ffff:127.0.0.1", c.tcp)),
    "path socket": lambda c: connect(socket.AF_UNIX, socket.SOCK_STREAM, f"{c.folder}/socket"),
    "abstract socket": lambda c: connect(socket.AF_UNIX, socket.SOCK_STREAM, c.abstract),
    "datagram from a pair": datagram_from_a_pair,
    "netlink": lambda c: _socket.socket(socket.AF_NETLINK, socket.SOCK_RAW, 0),
    "environments": environments,
    "command line": lambda c: Path(f"/proc/{c.process}/cmdline").read_bytes().index(b"cat"),
    "ptrace": trace,
    "memory of another": write_memory,
    "signal": lambda c: signal_it(c.process),
    "signal to the parent's parent": lambda c: signal_it(c.parent),
    "renice": renice,
    "limits of another": limit_another,
    "delete": lambda c: os.remove(c.files[3]),
}
"""By name; each returns if it got through and raises OSError if not."""
_ROOT_ONLY = {"signal to the parent's parent"}


def attempt_all(connection: Any, canaries: Canaries) -> dict[str, str]:
    """Return what came of each attempt: empty if it got through."""
    came = {}
    for name, attempt in ATTEMPTS.items():
        try:
            attempt(canaries)
            came[name] = ""
        except (OSError, ValueError) as error:
            came[name] = f"{type(error).__name__}: {error}"
    return came


def _outside(writing: Any, canaries: Canaries) -> None:
    if os.geteuid() == 0:
        lay_open(sys.base_prefix)
        become_ordinary()
    os.chdir(tempfile.mkdtemp(dir=canaries.folder))
    writing.send(attempt_all(None, canaries))


def test_each_attempt_gets_through_without_a_room(nest: tuple[Canaries, dict[str, Any]]) -> None:
    """What an ordinary teacher's own process can do; so that the other tests here can fail."""
    context = multiprocessing.get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    process = context.Process(target=_outside, args=(writing, nest[0]))
    process.start()
    assert reading.poll(30)
    came = reading.recv()
    process.join()
    held = {name for name, text in came.items() if text}
    assert held <= _ROOT_ONLY, came


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_nothing_of_the_teachers_is_within_reach(kind: Kind, nest: tuple[Canaries, dict[str, Any]]) -> None:
    """No attempt gets through, no listener hears anything, no canary is changed."""
    canaries, listeners = nest
    needs(kind)
    came = result(kind, attempt_all, canaries)
    assert [name for name, text in came.items() if not text] == []
    for name, listener in listeners.items():
        with pytest.raises(BlockingIOError):
            listener.recv(10) if name in ("udp", "datagrams") else listener.accept()
    assert {Path(path).read_text(encoding="utf-8") for path in canaries.files} == {SECRET}
    left = sorted(entry.name for entry in Path(canaries.folder).iterdir())
    assert left == ["course", "datagrams", "home", "loose.txt", "socket"]


def write_to_tmp(connection: Any, name: str) -> str:
    try:
        Path("/tmp", name).write_text("left", encoding="utf-8")
    except PermissionError:
        return "refused"
    return "written"


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_what_is_written_to_tmp_stays_inside(kind: Kind, nest: tuple[Canaries, dict[str, Any]]) -> None:
    """A room with a tree has a /tmp of its own; one without may not write to /tmp."""
    name = f"{Path(nest[0].folder).name}-left"
    assert result(kind, write_to_tmp, name) == ("written" if kind.level == "A" else "refused")
    assert not Path("/tmp", name).exists()


def own_environment(connection: Any) -> list[str]:
    own = Path("/proc/self/environ").read_bytes().replace(b"\0", b"").decode()
    arguments = Path("/proc/self/cmdline").read_bytes().rstrip(b"\0").decode()
    return [own, arguments, *sorted(os.environ)]


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_the_environment_with_which_the_teacher_began_is_gone(kind: Kind, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither `os.environ` nor the kernel tells a variable, or an argument, of the process that the room was forked from."""
    monkeypatch.setenv("CANARY", SECRET)
    assert Path("/proc/self/environ").read_bytes().strip(b"\0"), (
        "This process began with no variables: the test shows nothing."
    )
    own, arguments, *names = result(kind, own_environment)
    assert (own, arguments) == ("", "room")
    assert "CANARY" not in names
    assert {"AWS_ACCESS_KEY_ID", "HOME", "PATH", "LANG"} <= set(names)


def folder_as_it_is(connection: Any, folder: str) -> list[str]:
    with pytest.raises(OSError, match="Read-only|Permission denied"):
        Path(folder, "new").write_text("new", encoding="utf-8")
    return [Path(folder, "data.csv").read_text(encoding="utf-8"), *sorted(os.listdir(folder))]


@pytest.mark.parametrize("kind", kinds(), ids=str)
def test_what_is_named_readable_is_and_what_lies_beside_it_is_not(
    kind: Kind, nest: tuple[Canaries, dict[str, Any]]
) -> None:
    """A folder in `settings.readable` can be read where it is, and not written to."""
    shown = Path(nest[0].folder, "shown")
    shown.mkdir()
    shown.chmod(0o777)
    (shown / "data.csv").write_text("a,b", encoding="utf-8")
    assert result(kind, folder_as_it_is, str(shown), readable=(str(shown),)) == ["a,b", "data.csv"]
    came = result(kind, attempt_all, nest[0], readable=(str(shown),))
    # At level A the folders above it are the room's own, empty but for it: there it may write.
    assert came["read"]
    assert {Path(path).read_text(encoding="utf-8") for path in nest[0].files} == {SECRET}
