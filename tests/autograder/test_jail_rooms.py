"""What works in a room, what its limits do, and that it ends whole: with its code or signal, its causes, and nobody left."""

from __future__ import annotations

import contextlib
import errno
import getpass
import json
import multiprocessing
import os
import resource
import select
import signal
import subprocess
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest

from autograder.jail import Ended
from autograder.records import Limits

from .jailed_rooms import InRoom, Kind, kinds, listen, needs, result, room, say

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="Only Linux has rooms with locks.")
every_kind = pytest.mark.parametrize("kind", kinds(), ids=str)
with_a_tree = pytest.mark.parametrize("kind", kinds("A"), ids=str)
SMALL = Limits(memory_bytes=256 << 20, processes=20, file_bytes=2 << 20, disk_bytes=8 << 20)
_SECONDS = 30


# What works


def ordinary_things(connection: Any) -> dict[str, Any]:
    Path("notes.txt").write_text("día", encoding="utf-8")
    os.makedirs("a/b")
    os.replace("notes.txt", "a/b/notes.txt")
    os.chmod("a/b/notes.txt", 0o600)
    os.symlink("a/b/notes.txt", "link")
    with tempfile.NamedTemporaryFile() as file:
        file.write(b"x")
    seen: list[int] = []
    thread = threading.Thread(target=seen.append, args=(1,))
    thread.start()
    thread.join()
    shell = subprocess.run(
        ["bash", "-c", "cat <(echo one) | tr a-z A-Z; cat a/b/notes.txt"], capture_output=True, text=True
    )
    python = subprocess.run(
        [sys.executable, "-c", "import json, decimal; print(json.dumps([json.__name__]))"],
        capture_output=True,
        text=True,
    )
    (Path.home() / "in-home").write_text("x", encoding="utf-8")
    return {
        "cwd": sorted(os.listdir(".")),
        "link": Path("link").read_text(encoding="utf-8"),
        "thread": seen,
        "shell": shell.stdout,
        "python": python.stdout or python.stderr,
        "user": getpass.getuser(),
        "home": os.listdir(Path.home())[0] != "",
        "umask": oct(os.umask(0o022)),
        "session": os.getsid(0) == os.getpid(),
    }


@every_kind
def test_ordinary_things_work(kind: Kind) -> None:
    """Files, folders, temporary files, threads, shells, another Python, the home folder."""
    assert result(kind, ordinary_things) == {
        "cwd": ["a", "link"],
        "link": "día",
        "thread": [1],
        "shell": "ONE\ndía",
        "python": '["json"]\n',
        "user": "student",
        "home": True,
        "umask": "0o22",
        "session": True,
    }


def another_python(connection: Any) -> str:
    command = [sys.executable, "-c", "import bentocola, numpy; print(numpy.arange(3).sum())"]
    ended = subprocess.run(command, capture_output=True, text=True)
    return ended.stdout or ended.stderr


@with_a_tree
def test_another_python_finds_our_packages_with_a_tree(kind: Kind) -> None:
    """Of an editable installation too, without the rest of the project."""
    assert result(kind, another_python) == "3\n"
    assert "tests" not in result(kind, lambda connection: os.listdir(Path(__file__).parents[2]))


def square(number: int) -> int:
    return number * number


def pool_and_terminal(connection: Any) -> list[Any]:
    context = multiprocessing.get_context("fork")
    with context.Pool(2) as pool:
        squares = pool.map(square, range(4))
    lock = context.Lock()
    with lock:
        pass
    manager_says = context.Manager().list([1, 2])[1]
    ours, theirs = os.openpty()
    process = subprocess.Popen(
        ["bash", "-c", "tty; test -t 1 && echo terminal"], stdin=theirs, stdout=theirs, stderr=theirs
    )
    os.close(theirs)
    said = b""
    while b"terminal" not in said:
        said += os.read(ours, 100)
    process.wait()
    who = subprocess.run(["whoami"], capture_output=True, text=True).stdout
    return [squares, manager_says, said.decode().split(), who]


@with_a_tree
def test_pools_semaphores_managers_and_terminals_work_with_a_tree(kind: Kind) -> None:
    """multiprocessing needs /dev/shm and sockets of its own, IPython's `!command` a pseudo-terminal."""
    assert result(kind, pool_and_terminal) == [[0, 1, 4, 9], 2, ["/dev/pts/0", "terminal"], "student\n"]


def say_it_in_a_terminal(connection: Any) -> str:
    pid, terminal = os.forkpty()
    if pid == 0:
        os.execlp("bash", "bash", "-c", "test -t 0 && echo in a terminal")
    said = os.read(terminal, 100)
    os.waitpid(pid, 0)
    return said.decode().strip()


@pytest.mark.parametrize("kind", [kind for kind in kinds() if kind.level == "A" or kind.root], ids=str)
def test_a_terminal_of_its_own_works(kind: Kind) -> None:
    """IPython's `!command` runs in one. Without a tree it takes an uid of its own: the teacher's terminals are of the other."""
    assert result(kind, say_it_in_a_terminal) == "in a terminal"


@pytest.mark.parametrize("kind", [kind for kind in kinds("B") if kind.root], ids=str)
def test_a_lock_between_processes_works_without_a_tree_under_an_uid_of_its_own(kind: Kind) -> None:
    """What it leaves in /dev/shm is nobody else's, and is cleared away."""
    before = set(os.listdir("/dev/shm"))
    assert result(
        kind, lambda connection: multiprocessing.get_context("fork").Lock().acquire() and leave_in_shared_memory()
    )
    assert set(os.listdir("/dev/shm")) == before


def leave_in_shared_memory() -> bool:
    folder = Path("/dev/shm/left-by-a-room")
    folder.mkdir()
    (folder / "file").write_text("x", encoding="utf-8")
    Path("/dev/shm/left-by-a-room-too").write_text("x", encoding="utf-8")
    return True


def fill_shared_memory(connection: Any) -> None:
    os.chdir("/dev/shm")
    fill_and_wait(connection)


@pytest.mark.parametrize("kind", [kind for kind in kinds("B") if kind.root], ids=str)
def test_shared_memory_counts_as_disk_without_a_tree(kind: Kind) -> None:
    """It is the machine's memory."""
    with room(kind, fill_shared_memory, limits=SMALL) as started:
        assert started.end() == Ended("disk")


# What does not


def kernel_calls(connection: Any) -> dict[str, list[int]]:
    """Each call with arguments that make no sense: a kernel that would look at them says so, the filter says EPERM or ENOSYS."""
    import ctypes

    from autograder.jail import kernel, syscalls

    libc = ctypes.CDLL(None, use_errno=True)
    numbers = syscalls.NUMBERS[kernel.machine()]
    came = {}
    for heard in (syscalls.REFUSED, syscalls.ABSENT):
        for name in syscalls.named(heard):
            if name in numbers and name != "vhangup":
                ctypes.set_errno(0)
                answer = libc.syscall(*map(ctypes.c_long, (numbers[name], 0x3FFFFFF7, -1, -1, -1, -1, -1)))
                came[name] = [answer, ctypes.get_errno()]
    ctypes.set_errno(0)
    number = ctypes.c_long(numbers["clone"])
    came["clone with a user namespace"] = [libc.syscall(number, ctypes.c_long(kernel.NEWUSER)), ctypes.get_errno()]
    return came


@every_kind
def test_dangerous_system_calls_are_refused(kind: Kind) -> None:
    """ptrace, mount, namespaces, keys, bpf, clocks and the like."""
    for name, (answer, number) in result(kind, kernel_calls).items():
        assert (answer, number in (errno.EPERM, errno.ENOSYS)) == (-1, True), (name, number)


def more_rights(connection: Any, program: str) -> dict[str, Any]:
    came: dict[str, Any] = {}
    for name, attempt in {
        "open files": lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 1 << 20)),
        "processes": lambda: resource.setrlimit(resource.RLIMIT_NPROC, (4096, 4096)),
        "memory": lambda: resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY,) * 2),
        "/proc/sys": lambda: Path("/proc/sys/kernel/hostname").write_text("x", encoding="ascii"),
        "/proc/sysrq-trigger": lambda: Path("/proc/sysrq-trigger").write_text("h", encoding="ascii"),
        "uid": lambda: os.setuid(0),
        "/etc": lambda: Path("/etc/new").write_text("x", encoding="ascii"),
        "Python": lambda: Path(os.__file__).write_text("x", encoding="ascii"),
        "a device": lambda: os.mknod("device", 0o020666, os.makedev(1, 1)),
        "a disk": lambda: os.open("/dev/vda", os.O_RDONLY),
    }.items():
        try:
            attempt()
            came[name] = "done"
        except (OSError, ValueError) as error:
            came[name] = type(error).__name__
    status = Path("/proc/self/status").read_text(encoding="ascii").splitlines()
    effective = ("CapInh:", "CapPrm:", "CapEff:", "CapAmb:")
    came["capabilities"] = [line for line in status if line.startswith(effective) and int(line.split()[1], 16)]
    came["no new privileges"] = "NoNewPrivs:\t1" in status
    came["as whom"] = subprocess.run([program, "-u"], capture_output=True, text=True).stdout.strip()
    came["who"] = str(os.getuid())
    return came


@every_kind
def test_nobody_gets_more_rights(kind: Kind) -> None:
    """Limits stay, /proc/sys and Python cannot be written to, a set-uid program runs as the student."""
    with tempfile.TemporaryDirectory(dir="/var/tmp") as folder:
        os.chmod(folder, 0o755)
        program = Path(folder, "id")
        program.write_bytes(Path("/usr/bin/id").read_bytes())
        program.chmod(0o4755)
        came = result(kind, more_rights, str(program), readable=(folder,))
    assert came.pop("as whom") == came.pop("who") != "0"
    assert came.pop("capabilities") == []
    assert came.pop("no new privileges") is True
    assert set(came.values()) <= {"PermissionError", "OSError", "ValueError", "FileNotFoundError"}, came


def descriptors(connection: Any) -> list[str]:
    found = []
    for name in os.listdir("/proc/self/fd"):
        with contextlib.suppress(FileNotFoundError):  # the one by which they were listed
            found.append(os.readlink(f"/proc/self/fd/{name}").split(":")[0] if name != "2" else "")
    return sorted(set(found) - {""})


@every_kind
def test_no_other_descriptor_stays_open(kind: Kind) -> None:
    """Only the connections that were named, and /dev/null for the standard ones."""
    with tempfile.TemporaryFile() as file:
        os.set_inheritable(file.fileno(), True)
        assert result(kind, descriptors) == ["/dev/null", "socket"]


# Limits


def many_processes(connection: Any) -> int:
    count = 0
    try:
        while count < 500:
            if os.fork() == 0:
                signal.pause()
                os._exit(0)
            count += 1
    except BlockingIOError:
        return count
    return -1


def other_processes(connection: Any) -> str:
    return subprocess.run(["bash", "-c", "echo $(echo fine)"], capture_output=True, text=True).stdout


@every_kind
def test_a_fork_bomb_stays_in_its_room(kind: Kind) -> None:
    """It ends at the limit, or near it as an ordinary user without a tree, and another room starts processes as ever."""
    with room(kind, many_processes, limits=SMALL) as bomb:
        slack = 5 if kind.level == "A" or kind.root else 40
        assert 10 <= bomb.hear() <= SMALL.processes + slack
        assert result(kind, other_processes) == "fine\n"


def too_much_memory(connection: Any) -> str:
    try:
        bytearray(1 << 30)
    except MemoryError:
        return "MemoryError"
    return "granted"


@every_kind
def test_one_process_hears_of_its_memory_limit(kind: Kind) -> None:
    """As a MemoryError in the cell, so that the room goes on."""
    assert result(kind, too_much_memory, limits=SMALL) == "MemoryError"


def memory_in_parts(connection: Any) -> None:
    for _ in range(6):
        if os.fork() == 0:
            held = bytearray(150 << 20)
            held[::4096] = b"x" * len(held[::4096])
            signal.pause()
    signal.pause()


@every_kind
def test_many_processes_share_one_memory_limit(kind: Kind) -> None:
    """Over it, the room ends and says why."""
    with room(kind, memory_in_parts, limits=SMALL) as started:
        assert started.end() == Ended("memory")


def fill(connection: Any) -> list[int]:
    written, number = 0, 0
    while written < 64 << 20:
        try:
            Path(f"file{number}").write_bytes(bytes(1 << 20))
            written += 1 << 20
        except OSError as error:
            return [written >> 20, error.errno or 0]
        number += 1
    return [written >> 20, 0]


@with_a_tree
def test_the_disk_of_a_tree_is_small(kind: Kind) -> None:
    """Over it, writing fails as on a full disk."""
    megabytes, number = result(kind, fill, limits=SMALL)
    assert (megabytes in (7, 8), number) == (True, errno.ENOSPC)


def fill_and_wait(connection: Any) -> None:
    fill(connection)
    signal.pause()


@pytest.mark.parametrize("kind", kinds("B"), ids=str)
def test_without_a_tree_the_keeper_watches_the_folder(kind: Kind) -> None:
    """A room whose folder is over the limit ends and says why, and its folder is gone."""
    with room(kind, fill_and_wait, limits=SMALL) as started:
        assert started.end() == Ended("disk")


@every_kind
def test_a_file_has_a_size_limit(kind: Kind) -> None:
    """Over it, writing fails."""

    def write(connection: Any) -> str:
        try:
            Path("big").write_bytes(bytes(3 << 20))
        except OSError as error:
            return errno.errorcode[error.errno or 0]
        return "written"

    assert result(kind, write, limits=SMALL) == "EFBIG"


# Ends


@every_kind
@pytest.mark.parametrize(
    ("ending", "why"),
    [
        (lambda: os._exit(7), Ended("exit", code=7)),
        (lambda: sys.exit(3), Ended("exit", code=3)),
        (lambda: os.kill(os.getpid(), signal.SIGKILL), Ended("signal", signal="SIGKILL")),
        (lambda: os.kill(os.getpid(), signal.SIGSEGV), Ended("signal", signal="SIGSEGV")),
        (lambda: os.kill(os.getpid(), signal.SIGRTMAX), Ended("signal", signal="SIGUSR1")),
    ],
    ids=["code", "sys.exit", "SIGKILL", "SIGSEGV", "a signal that the keeper uses"],
)
def test_a_room_ends_as_its_process_did(kind: Kind, ending: Any, why: Ended) -> None:
    """Exit code and signal arrive; the causes that the keeper alone can tell cannot be forged."""

    def end(connection: Any) -> None:
        say(connection, "ready")
        listen(connection)
        try:
            ending()
        except SystemExit as error:
            os._exit(int(str(error)))

    with room(kind, end) as started:
        assert started.hear() == "ready"
        assert started.jailed.why() is None
        started.tell("go")
        assert started.end() == why


def wait_for_interrupt(connection: Any) -> str:
    child = subprocess.Popen(["sleep", "60"])
    try:
        say(connection, "waiting")
        while True:
            signal.pause()
    except KeyboardInterrupt:
        return "interrupted, and the child " + ("runs" if child.poll() is None else "does not")


@every_kind
def test_an_interrupt_reaches_the_rooms_process_alone(kind: Kind) -> None:
    """As in a notebook: KeyboardInterrupt in the cell."""
    with room(kind, wait_for_interrupt) as started:
        assert started.hear() == "waiting"
        assert started.jailed.interrupt()
        assert started.hear() == "interrupted, and the child runs"


def daemon(connection: Any, descriptor: int) -> None:
    """Start a process with no parent, in a session of its own, that ignores what can be ignored."""
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
                signal.signal(number, signal.SIG_IGN)
            os.write(descriptor, b"!")
            while True:
                signal.pause()
        os._exit(0)
    os.wait()
    say(connection, "started")
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.valid_signals()))
    if listen(connection) == "end":
        os._exit(0)
    signal.pause()


def ends_when_closed(descriptor: int) -> bool:
    """Whether no process holds the other end any more."""
    while select.select([descriptor], [], [], _SECONDS)[0]:
        if not os.read(descriptor, 10):
            return True
    return False


@every_kind
@pytest.mark.parametrize("way", ["killed", "ends by itself", "keeper is killed"])
def test_nobody_survives_a_room(kind: Kind, way: str) -> None:
    """A daemon of the student's ends with the room, however that one ends."""
    if way == "keeper is killed" and kind.level == "B":
        pytest.skip(
            "Without namespaces a keeper that gets SIGKILL can no longer look for daemons: `Jailed.kill` asks it first."
        )
    reading, writing = os.pipe()
    with room(kind, daemon, writing, keep=(writing,)) as started:
        os.close(writing)
        assert started.hear() == "started"
        if way == "killed":
            started.jailed.kill()
            assert started.jailed.why() == Ended("stopped")
        elif way == "ends by itself":
            started.tell("end")
            assert started.end() == Ended("exit", code=0)
        else:
            started.process.kill()
        assert ends_when_closed(reading)
    os.close(reading)


def _invigilator(kind: Kind, writing: int, told: Any) -> None:
    started = InRoom(kind, daemon, writing, keep=(writing,))
    os.close(writing)
    told.send_bytes(json.dumps(started.hear()).encode())
    signal.pause()


@every_kind
def test_a_room_dies_with_the_invigilator(kind: Kind) -> None:
    """SIGKILL to the process that started it leaves neither the room nor its daemons."""
    needs(kind)
    context = multiprocessing.get_context("fork")
    reading, writing = os.pipe()
    ours, theirs = context.Pipe()
    process = context.Process(target=_invigilator, args=(kind, writing, theirs))
    process.start()
    os.close(writing)
    assert ours.poll(_SECONDS)
    assert json.loads(ours.recv_bytes()) == "started"
    process.kill()
    process.join()
    assert ends_when_closed(reading)
    os.close(reading)


def kill_the_parent(connection: Any) -> str:
    for pid in {os.getppid(), 1}:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(PermissionError):
                os.kill(pid, number)
    with contextlib.suppress(PermissionError, ProcessLookupError):
        os.kill(-1, signal.SIGCONT)
    say(connection, "tried")
    return listen(connection)


@every_kind
def test_the_parent_cannot_be_killed(kind: Kind) -> None:
    """Neither the init nor the keeper: the room goes on."""
    with room(kind, kill_the_parent) as started:
        assert started.hear() == "tried"
        started.tell("goes on")
        assert started.hear() == "goes on"
        assert started.end() == Ended("exit", code=0)


@pytest.mark.parametrize("kind", kinds("CD"), ids=str)
def test_below_level_b_a_room_runs_with_what_there_is(kind: Kind) -> None:
    """Limits hold, nobody survives, and the environment is the room's own."""
    assert result(kind, too_much_memory, limits=SMALL) == "MemoryError"
    assert "SSH_AUTH_SOCK" not in result(kind, lambda connection: sorted(os.environ))
    reading, writing = os.pipe()
    with room(kind, daemon, writing, keep=(writing,)) as started:
        os.close(writing)
        assert started.hear() == "started"
    assert ends_when_closed(reading)
    os.close(reading)


def closed_before(connection: Any) -> None:
    signal.pause()


@every_kind
def test_the_handle_waits_no_longer_than_it_is_told(kind: Kind) -> None:
    """Though a room's process has closed the descriptor by which multiprocessing hears of its end."""
    with room(kind, closed_before, close_all_first=True) as started:
        assert not started.jailed.wait(0.01)
        started.jailed.kill()
        assert started.jailed.why() == Ended("stopped")


@every_kind
def test_the_other_side_hears_at_once_that_a_room_is_gone(kind: Kind) -> None:
    """The keeper holds no end of the room's connections."""
    with room(kind, lambda connection: (say(connection, 1), connection.close(), signal.pause())) as started:
        assert started.hear() == 1
        with pytest.raises(EOFError):
            started.hear()
        assert started.process.is_alive()


@every_kind
def test_a_fork_bomb_that_is_stopped_is_named(kind: Kind) -> None:
    """`why` says that there were as many processes as may be."""

    def bomb(connection: Any) -> None:
        many_processes(connection)
        say(connection, "full")
        signal.pause()

    with room(kind, bomb, limits=SMALL) as started:
        assert started.hear() == "full"
        started.jailed.kill()
        assert started.jailed.why() == Ended("processes")


def test_a_room_that_cannot_be_locked_runs_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    """The keeper says why, and the cause is the jail, not the student."""
    kind = kinds("A")[0]
    needs(kind)
    with room(kind, lambda connection: "ran", folder="/no/such/folder") as started:
        assert started.end() == Ended("jail")
        with pytest.raises(EOFError):
            started.hear()
    assert "A room could not be locked" in capfd.readouterr().err
