"""The files that a room at level A has: a root of its own, made of what `visible` names (read-only) and one small tmpfs.

Works in a mount namespace that is this process's own, and touches no file outside it.
"""

from __future__ import annotations

import os

from . import kernel, visible
from .settings import FOLDER, HOME, TMPFS

__all__ = ["WRITABLE", "build", "enter"]

_PLACES = ("/sys/kernel", "/mnt", "/srv", "/media")
"""Folders that every system has and no room needs: one of them carries the new root, in our namespace only."""
_SPACE = "/.space"
_INODES_A_MEGABYTE = 256
WRITABLE = ("/tmp", HOME, "/dev/shm", "/dev/pts", *visible.DEVICES)
"""What a room may write to."""
_DEV_LINKS = {
    "/dev/fd": "/proc/self/fd",
    "/dev/ptmx": "pts/ptmx",
    "/dev/stderr": "/proc/self/fd/2",
    "/dev/stdin": "/proc/self/fd/0",
    "/dev/stdout": "/proc/self/fd/1",
}


def build(readable: tuple[str, ...], folder: str, disk_bytes: int, uid: int) -> str:
    """Build the tree for a room whose uid and gid are `uid`, and return where it is. Raises OSError.

    `folder`: "tmpfs", or the working folder's path. All that the room writes together has `disk_bytes`.
    """
    layout = visible.with_more(readable)
    root = next(
        place
        for place in _PLACES
        if os.path.isdir(place) and not any(f"{path}/".startswith(f"{place}/") for path in layout.mounts)
    )
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)
    kernel.mount("tmpfs", root, "tmpfs", kernel.NOSUID | kernel.NODEV, "size=1m,mode=755")
    _space(root, disk_bytes, uid)
    for path in layout.mounts:
        _bind(path, root + path)
        kernel.attach_read_only(root + path)
    for path, target in layout.links.items():
        os.makedirs(os.path.dirname(root + path), exist_ok=True)
        if not os.path.lexists(root + path):
            os.symlink(target, root + path)
    if folder != TMPFS:
        kernel.mount(folder, root + FOLDER, None, kernel.BIND)
    _devices(root)
    _accounts(root, uid)
    os.makedirs(f"{root}/proc", exist_ok=True)
    return root


def _space(root: str, disk_bytes: int, uid: int) -> None:
    """Mount one tmpfs, so that there is one limit, and show its folders where they belong."""
    space = root + _SPACE
    os.mkdir(space)
    inodes = max(1000, (disk_bytes >> 20) * _INODES_A_MEGABYTE)
    options = f"size={disk_bytes},nr_inodes={inodes},mode=755"
    kernel.mount("tmpfs", space, "tmpfs", kernel.NOSUID | kernel.NODEV, options)
    os.mkdir(f"{space}/home")
    os.mkdir(f"{space}/home/{os.path.basename(FOLDER)}")
    for name in ("home", f"home/{os.path.basename(FOLDER)}"):
        os.chown(f"{space}/{name}", uid, -1)
    for name, target in (("home", HOME), ("tmp", "/tmp"), ("shm", "/dev/shm")):
        if name != "home":
            os.mkdir(f"{space}/{name}")
            os.chmod(f"{space}/{name}", 0o1777)
        os.makedirs(root + target)
        kernel.mount(f"{space}/{name}", root + target, None, kernel.BIND)
    kernel.unmount(space)
    os.rmdir(space)


def _bind(path: str, target: str) -> None:
    if os.path.isdir(path):
        os.makedirs(target, exist_ok=True)
    else:
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.lexists(target):
            os.close(os.open(target, os.O_CREAT | os.O_WRONLY | os.O_CLOEXEC, 0o600))
    kernel.mount(path, target, None, kernel.BIND | kernel.RECURSIVE)


def _devices(root: str) -> None:
    for path in visible.DEVICES:
        if os.path.exists(path):
            _bind(path, root + path)
    os.makedirs(f"{root}/dev/pts")
    # IPython's `!command` runs in a pseudo-terminal.
    options = "newinstance,ptmxmode=0666,mode=620"
    kernel.mount("devpts", f"{root}/dev/pts", "devpts", kernel.NOSUID | kernel.NOEXEC, options)
    for path, target in _DEV_LINKS.items():
        os.symlink(target, root + path)


def _accounts(root: str, uid: int) -> None:
    """Write the files by which `whoami`, `Path.home()` and `localhost` are found; nobody of this machine is in them."""
    os.makedirs(f"{root}/etc", exist_ok=True)
    for name, text in (
        ("passwd", f"student:x:{uid}:{uid}:student:{HOME}:/bin/sh\n"),
        ("group", f"student:x:{uid}:\n"),
        ("hosts", "127.0.0.1 localhost\n::1 localhost\n"),
    ):
        with open(f"{root}/etc/{name}", "x", encoding="ascii") as file:
            file.write(text)


def enter(root: str) -> None:
    """In the room's own pid namespace: show its processes in /proc, make `root` the root, and make it read-only."""
    flags = kernel.NOSUID | kernel.NODEV | kernel.NOEXEC
    kernel.mount("proc", f"{root}/proc", "proc", flags)
    kernel.mount("none", f"{root}/proc", None, kernel.REMOUNT | kernel.BIND | kernel.RDONLY | flags)
    kernel.pivot_root(root)
    kernel.mount("none", "/", None, kernel.REMOUNT | kernel.BIND | kernel.RDONLY | kernel.NOSUID | kernel.NODEV)
