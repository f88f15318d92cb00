"""What protection this machine gives a room, and why not more: tried in a process of its own, not guessed.

Starts that process and changes nothing.
"""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from autograder.records import Note

from . import visible

__all__ = ["LAYERS", "REASONS", "Protection", "probe"]

LAYERS = {
    "namespaces": "files, processes and network of its own (namespaces)",
    "landlock": "no file but those allowed (Landlock)",
    "seccomp": "no dangerous system call (seccomp)",
    "signals": "no signal to your processes",
    "uid": "a user of its own, because you are root",
    "limits": "limits on memory, processes and file size",
}
"""What each layer gives a student's code: English msgids. "uid" is looked at for root only."""

REASONS = {
    "namespaces": "This machine does not allow it: {detail}",
    "apparmor": "AppArmor forbids it here. To allow it: {command} ({detail})",
    "landlock": "The kernel has no Landlock, or it is switched off: {detail}",
    "seccomp": "The kernel refused the filter: {detail}",
    "signals": "It needs namespaces or Landlock 6 (Linux 6.12).",
    "uid": "Root may not become another user here: {detail}",
    "limits": "The system refused the limits: {detail}",
    "A": "Each layer works, but not all of them together: {detail}",
    "B": "The trial of level B failed: {detail}",
    "elsewhere": "Only Linux has this.",
    "no-limits": "Windows has no such limits.",
    "trial": "The trial gave no answer: {detail}",
}
"""Why a layer, or a level, does not hold: English msgids."""

_ALLOW = "sysctl kernel.apparmor_restrict_unprivileged_userns=0"
_APPARMOR = "/proc/sys/kernel/apparmor_restrict_unprivileged_userns"
_SECONDS = 60
# `-S` and `-I`: without the site's packages, of which a trial needs none, Python starts three times as fast.
_START = "import sys; sys.path[:0] = {paths!r}; from autograder.jail.trials import main; main()"


@dataclass(frozen=True)
class Protection:
    """What holds here. `reasons`: for each layer, or level, that does not hold, what came when it was tried."""

    level: str
    layers: dict[str, bool]
    reasons: dict[str, Note]

    def as_json(self) -> dict[str, Any]:
        """Return it as what `json.dump` takes."""
        return dataclasses.asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Protection:
        """Return what `as_json` gave."""
        return cls(data["level"], data["layers"], {name: Note(**note) for name, note in data["reasons"].items()})


def probe() -> Protection:
    """Try each layer, and levels A and B as a whole; return what holds. Takes about a quarter of a second."""
    if sys.platform != "linux":
        return _elsewhere()
    try:
        found = _try_all()
    except (OSError, ValueError, subprocess.SubprocessError) as error:
        unknown = Note(REASONS["trial"], {"detail": str(error)}, code="trial")
        return Protection("C", dict.fromkeys(LAYERS, False), dict.fromkeys((*LAYERS, "A", "B"), unknown))
    layers = {name: not found[name] for name in LAYERS if name in found}
    level = "A" if not found["A"] else "B" if not found["B"] else "C" if layers["limits"] else "D"
    # What a level as a whole says is of interest where no layer says it.
    tell = [*LAYERS, *(["A", "B"] if all(layers.values()) else [] if level == "B" else ["B"])]
    reasons = {name: _reason(name, found[name]) for name in tell if found.get(name) and level != "A"}
    return Protection(level, layers, reasons)


def _reason(name: str, detail: str) -> Note:
    code = "apparmor" if name == "namespaces" and _restricted_by_apparmor() else name
    message = REASONS[code]
    values = {"detail": detail, "command": _ALLOW}
    return Note(message, {place: text for place, text in values.items() if f"{{{place}}}" in message}, code=code)


def _restricted_by_apparmor() -> bool:
    try:
        with open(_APPARMOR, encoding="ascii") as file:
            return file.read().strip() == "1" and os.geteuid() != 0
    except OSError:
        return False


def _elsewhere() -> Protection:
    has_limits = sys.platform != "win32"
    layers = {name: name == "limits" and has_limits for name in LAYERS if name != "uid"}
    reasons = {name: Note(REASONS["elsewhere"], code="elsewhere") for name, holds in layers.items() if not holds}
    if not has_limits:
        reasons["limits"] = Note(REASONS["no-limits"], code="no-limits")
    return Protection("C" if has_limits else "D", layers, reasons)


def _try_all() -> dict[str, str]:
    """Return, by layer and level, an empty text or what went wrong."""
    here = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
    paths = [
        here,
        *sorted({os.path.dirname(path) for path in visible.packages() if path.endswith("bentocola")} - {here}),
    ]
    ended = subprocess.run(
        [sys.executable, "-I", "-S", "-c", _START.format(paths=paths)],
        input=json.dumps({"readable": visible.python_and_system()}),
        capture_output=True,
        text=True,
        timeout=_SECONDS,
        check=False,
    )
    if ended.returncode != 0:
        raise ValueError((ended.stderr.strip() or f"exit code {ended.returncode}").splitlines()[-1])
    answer = json.loads(ended.stdout)
    return {str(name): str(text) for name, text in answer.items()}
