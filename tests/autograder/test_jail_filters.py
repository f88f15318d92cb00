"""The filter for system calls, on both machines, and the lists that it and the tree are made of: without a kernel."""

from __future__ import annotations

import ctypes
import ctypes.util
import errno
import os
import struct
from pathlib import Path

import pytest

from autograder.jail import kernel, seccomp, syscalls, visible

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
NEW = [kernel.NEWNS, kernel.NEWUTS, kernel.NEWIPC, kernel.NEWUSER, kernel.NEWPID, kernel.NEWNET, 0x02000000, 0x80]
ALLOWED, KILLED = 0x7FFF0000, 0x80000000
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK, STREAM, DATAGRAM, CLOEXEC = 1, 2, 10, 16, 1, 2, 0o2000000


def ask(
    machine: str,
    name: str | int,
    *arguments: int,
    architecture: int | None = None,
    sockets: bool = True,
    shares_uid: bool = False,
) -> int:
    """Run the filter as the kernel does; return what it answers."""
    number = name if isinstance(name, int) else syscalls.NUMBERS[machine][name]
    data = struct.pack("<iIQ6Q", number, architecture or ARCHITECTURES[machine], 0, *(list(arguments) + [0] * 6)[:6])
    program = seccomp.program(machine, sockets=sockets, shares_uid=shares_uid)
    steps = [struct.unpack_from("HBBI", program, place) for place in range(0, len(program), 8)]
    place, accumulator = 0, 0
    while True:
        code, when_true, when_false, value = steps[place]
        place += 1
        if code == 0x20:
            accumulator = struct.unpack_from("<I", data, value)[0]
        elif code == 0x54:
            accumulator &= value
        elif code == 0x06:
            return value
        else:
            holds = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[code]
            place += when_true if holds else when_false


def refused(number: int) -> int:
    return 0x50000 | number


machines = pytest.mark.parametrize("machine", sorted(ARCHITECTURES))


@machines
def test_what_is_listed_is_refused_and_the_rest_is_not(machine: str) -> None:
    """Each listed call hears its answer, whatever its arguments; reading, writing and the like go through."""
    numbers = syscalls.NUMBERS[machine]
    for heard, answer in ((syscalls.REFUSED, errno.EPERM), (syscalls.ABSENT, errno.ENOSYS)):
        names = [name for name in syscalls.named(heard) if name in numbers]
        assert {ask(machine, name, 1, 2, 3) for name in names} == {refused(answer)}
    listed = set(numbers.values())
    assert {ask(machine, number, 1, 2, 3) for number in range(470) if number not in listed} == {ALLOWED}
    assert ask(machine, "ptrace", architecture=0x40000003) == KILLED


def test_the_other_calling_convention_of_x86_64_is_no_way_round() -> None:
    """Its numbers are the same ones with a bit set."""
    assert ask("x86_64", 0x40000000 | syscalls.NUMBERS["x86_64"]["ptrace"]) == refused(errno.EPERM)
    assert ask("x86_64", 0x40000000) == refused(errno.EPERM)


@machines
def test_sockets_are_for_processes_of_the_room(machine: str) -> None:
    """AF_UNIX alone; without a tree pairs alone, and none whose datagrams could be addressed elsewhere."""
    assert ask(machine, "socket", AF_UNIX, STREAM) == ALLOWED
    assert ask(machine, "socket", AF_UNIX, STREAM, sockets=False) == refused(errno.EACCES)
    for sockets in (True, False):
        for family in (AF_INET, AF_INET6, AF_NETLINK, 0, 17, 40):
            assert ask(machine, "socket", family, STREAM, sockets=sockets) == refused(errno.EACCES)
            assert ask(machine, "socketpair", family, STREAM, sockets=sockets) == refused(errno.EACCES)
        assert ask(machine, "socketpair", AF_UNIX, STREAM | CLOEXEC, sockets=sockets) == ALLOWED
    assert ask(machine, "socketpair", AF_UNIX, DATAGRAM) == ALLOWED
    assert ask(machine, "socketpair", AF_UNIX, DATAGRAM | CLOEXEC, sockets=False) == refused(errno.EACCES)


@machines
def test_upper_halves_of_arguments_are_no_way_round(machine: str) -> None:
    """The kernel reads an int of them, and so does the filter."""
    assert ask(machine, "socket", AF_INET | 1 << 32, STREAM) == refused(errno.EACCES)
    assert ask(machine, "clone", kernel.NEWUSER | 1 << 40) == refused(errno.EPERM)


@machines
@pytest.mark.parametrize("flag", NEW)
def test_no_clone_makes_a_namespace(machine: str, flag: int) -> None:
    """Threads and forks go through."""
    assert ask(machine, "clone", flag | 17) == refused(errno.EPERM)
    assert ask(machine, "clone", 17) == ALLOWED
    assert ask(machine, "clone", 0x3D0F00) == ALLOWED  # glibc's for a thread


@machines
def test_other_processes_are_left_alone(machine: str) -> None:
    """Under a shared uid, limits and scheduling are for oneself. Otherwise the kernel keeps others out."""
    for name in syscalls.named(syscalls.OWN_ONLY):
        assert ask(machine, name, 0, 7, shares_uid=True) == ALLOWED
        assert ask(machine, name, 4711, 7, shares_uid=True) == refused(errno.EPERM)
        assert ask(machine, name, 4711, 7) == ALLOWED


@machines
def test_nothing_is_typed_into_a_terminal(machine: str) -> None:
    """TIOCSTI and TIOCLINUX; other ioctls go through."""
    assert ask(machine, "ioctl", 0, 0x5412) == refused(errno.EPERM)
    assert ask(machine, "ioctl", 0, 0x541C) == refused(errno.EPERM)
    assert ask(machine, "ioctl", 0, 0x5413) == ALLOWED


@machines
def test_modes_and_owners_are_pretended_under_a_shared_uid_only(machine: str) -> None:
    """Landlock lets them through on any file of one's own, so the filter answers that it was done."""
    for name in syscalls.named(syscalls.PRETENDED):
        if name in syscalls.NUMBERS[machine]:
            assert ask(machine, name, shares_uid=True) == refused(0)
            assert ask(machine, name) == ALLOWED


def test_the_numbers_are_libseccomps() -> None:
    """For both machines, for each name that the installed version knows."""
    library = ctypes.util.find_library("seccomp")
    if library is None:
        pytest.skip("libseccomp is not installed.")
    resolve = ctypes.CDLL(library).seccomp_syscall_resolve_name_arch
    for machine, architecture in ARCHITECTURES.items():
        known = 0
        for name, number in syscalls.NUMBERS[machine].items():
            if (theirs := resolve(ctypes.c_uint32(architecture), name.encode())) >= 0:
                assert number == theirs, (machine, name)
                known += 1
        assert known > 70
        missing = [name for name in syscalls.NUMBERS["x86_64"] if name not in syscalls.NUMBERS[machine]]
        assert all(resolve(ctypes.c_uint32(architecture), name.encode()) < 0 for name in missing)


def test_a_layout_follows_links_wherever_they_lead(tmp_path: Path) -> None:
    """Each path leads to the same file in the tree; a folder is mounted once, and nothing through a link."""
    real = tmp_path.resolve()
    (real / "a" / "deep").mkdir(parents=True)
    (real / "a" / "deep" / "file").write_text("x", encoding="utf-8")
    (real / "absolute").symlink_to(real / "a")
    (real / "relative").symlink_to("absolute/deep")
    (real / "circle").symlink_to("circle")
    layout = visible.lay_out((f"{real}/relative/file", f"{real}/a/deep", f"{real}/circle", f"{real}/missing"))
    assert layout.mounts == (f"{real}/a/deep",)
    assert layout.links == {
        f"{real}/relative": "absolute/deep",
        f"{real}/absolute": f"{real}/a",
        f"{real}/circle": "circle",
    }


def test_what_every_room_may_read_holds_no_more_of_the_project_than_its_packages() -> None:
    """Not the folder itself, the assignments, the tests, nor the home folder."""
    mounts = visible.lay_out(visible.python_and_system()).mounts
    root = str(Path(__file__).parents[2])

    def shown(path: str) -> bool:
        return any(path == mount or path.startswith(mount + "/") for mount in mounts)

    assert shown(os.__file__)
    assert shown(visible.__file__)
    for path in (
        root,
        f"{root}/assignments",
        f"{root}/tests/autograder",
        f"{root}/.git",
        os.path.expanduser("~"),
        "/etc/passwd",
        "/etc",
        "/",
    ):
        assert not shown(path), path
        assert path not in mounts
