"""Every module of `autograder` can be imported where there is no `os.fork` and none of POSIX's own modules, as on Windows."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

from tests.repository import ROOT

MODULES = ("fcntl", "grp", "posix", "pty", "pwd", "resource", "syslog", "termios", "tty")
"""What Windows does not have."""
NAMES = {
    "os": (
        *(
            "chown",
            "fork",
            "forkpty",
            "geteuid",
            "getgid",
            "getpgid",
            "getsid",
            "getuid",
            "killpg",
            "mkfifo",
            "mknod",
            "openpty",
        ),
        *(
            "pidfd_open",
            "register_at_fork",
            "setsid",
            "sysconf",
            "uname",
            "wait",
            "WNOHANG",
            "O_NOFOLLOW",
            "O_CLOEXEC",
            "O_DIRECTORY",
        ),
    ),
    "signal": (
        "SIGALRM",
        "SIGCHLD",
        "SIGHUP",
        "SIGKILL",
        "SIGRTMAX",
        "SIGTSTP",
        "SIGUSR1",
        "pause",
        "pthread_sigmask",
        "setitimer",
    ),
    "socket": ("AF_UNIX", "recv_fds", "send_fds"),
    "time": ("tzset",),
}
"""What Windows does not have of these modules."""

PROGRAM = """
import builtins, importlib, json, pkgutil, sys, traceback, types

MODULES, NAMES = json.loads(sys.argv[1])
plain = builtins.__import__


class Poorer(types.ModuleType):
    # A module without some names.
    def __init__(self, module):
        super().__init__(module.__name__)
        self.__dict__.update({name: value for name, value in vars(module).items() if name not in NAMES[module.__name__]})


def guarded(name, globals=None, locals=None, fromlist=(), level=0):
    # For ours alone: what other packages import on this system is not what they would import on another.
    asking = (globals or {}).get("__name__", "").partition(".")[0]
    top = name.partition(".")[0]
    if level or asking not in ("autograder", "bentocola"):
        return plain(name, globals, locals, fromlist, level)
    if top in MODULES:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    found = plain(name, globals, locals, fromlist, level)
    return Poorer(found) if name in NAMES or (top in NAMES and not fromlist) else found


builtins.__import__ = guarded
failed = {}
names = ["autograder"]
package = importlib.import_module("autograder")
names += [found.name for found in pkgutil.walk_packages(package.__path__, "autograder.", onerror=lambda name: None)]
for name in names:
    if name.endswith("__main__"):
        continue
    try:
        importlib.import_module(name)
    except BaseException:
        failed[name] = traceback.format_exc().splitlines()[-4:]
print(json.dumps({"names": names, "failed": failed}))
"""


def run(root: Path) -> dict[str, list[str] | dict[str, list[str]]]:
    """Return the names of the modules below `root`, and those that failed with the end of their traceback."""
    arguments = [sys.executable, "-c", PROGRAM, json.dumps([MODULES, NAMES])]
    ended = subprocess.run(arguments, capture_output=True, text=True, cwd=root, check=False)
    assert ended.returncode == 0, ended.stderr
    return json.loads(ended.stdout.splitlines()[-1])


def test_everything_imports_without_posix() -> None:
    """The jail's own modules too: they say what is missing when they are called, not when they are read."""
    found = run(ROOT)
    assert {"autograder.jail.rooms", "autograder.records"} <= set(found["names"])
    assert found["failed"] == {}


def test_a_module_that_needs_posix_is_found(tmp_path: Path) -> None:
    """So that the test above can fail."""
    package = tmp_path / "autograder"
    package.mkdir()
    for name, text in {
        "__init__": "",
        "one": "import fcntl",
        "two": "from os import fork",
        "three": "import os\nUSER = os.getuid()",
        "four": "import os.path\nUSER = os.getuid()",
        "five": "import signal as s\nLAST = s.SIGKILL",
        "fine": "import os, os.path as path\nfrom os.path import join\n\nJOINED = path.join",
        "careful": "try:\n    import pwd\nexcept ImportError:\n    pwd = None",
    }.items():
        (package / f"{name}.py").write_text(f"{text}\n", encoding="utf-8")
    assert set(run(tmp_path)["failed"]) == {f"autograder.{name}" for name in ("one", "two", "three", "four", "five")}
