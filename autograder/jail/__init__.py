"""The protection that this machine can give a room, tried, and its name: A, B, C or D.

`probe()` says it; `enter_candidate` and `enter_examiner` lock a room's process; `Jailed` is the invigilator's hold on it.
"""

from __future__ import annotations

from .endings import Ended
from .handle import Jailed
from .protection import LAYERS, Protection, probe
from .rooms import Room, enter_candidate, enter_examiner, prepare
from .settings import FOLDER, HOME, TMPFS, JailSettings

__all__ = [
    "FOLDER",
    "HOME",
    "LAYERS",
    "TMPFS",
    "Ended",
    "JailSettings",
    "Jailed",
    "Protection",
    "Room",
    "enter_candidate",
    "enter_examiner",
    "prepare",
    "probe",
]
