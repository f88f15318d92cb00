"""The trace of a lab on disk, as it grows: what has been answered is written down, also when the server is killed afterwards.

A file holds one story: a first line with its beginning, in the form of a feed, and a line a step. An earlier story's file is kept
under the time at which it began.
"""

from __future__ import annotations

import json
import logging
import re
import threading
from pathlib import Path
from typing import IO

from bentocola.cloud.trace import Trace

__all__ = ["Journal"]

_log = logging.getLogger(__name__)


class Journal:
    """Writes to `file`. Each method can be called from any thread."""

    def __init__(self, file: Path) -> None:
        """An earlier file in its place is set aside, if it tells of any step. Raises OSError."""
        self._file = file
        self._lock = threading.Lock()
        self._open: IO[str] | None = None
        self.story = ""
        self.written = 0
        """The number of the last step that is on disk."""
        self.kept = _set_aside(file)
        """Where the latest of the earlier traces is, or None where there was none."""

    def write(self, trace: Trace) -> None:
        """Write what is new. A disk that refuses stops no lab: it is said in the log."""
        with self._lock:
            # One that has ended has a successor, and who comes late with it must not go back to it.
            more = not trace.has_ended
            while more:
                feed = trace.follow(self.story, self.written)
                more = feed["more"]
                try:
                    if feed["story"] != self.story:
                        self._begin(feed["story"], {**feed, "steps": [], "more": False})
                    if feed["steps"] and self._open is not None:
                        self._open.writelines(json.dumps(step, ensure_ascii=False) + "\n" for step in feed["steps"])
                        self._open.flush()
                except OSError as error:
                    _log.warning("%s: %s", self._file, error)
                self.written += len(feed["steps"])

    def _begin(self, story: str, first: object) -> None:
        self._close()
        self.story, self.written = story, 0
        self.kept = _set_aside(self._file) or self.kept
        self._open = self._file.open("w", encoding="utf-8", newline="\n")
        self._open.write(json.dumps(first, ensure_ascii=False) + "\n")
        self._open.flush()

    def close(self) -> None:
        """Write no more."""
        with self._lock:
            self._close()

    def _close(self) -> None:
        if self._open is not None:
            self._open.close()
            self._open = None


def _set_aside(file: Path) -> Path | None:
    """Rename a trace that tells of a step, and return its new name."""
    try:
        with file.open(encoding="utf-8") as lines:
            begun = str(json.loads(next(lines))["at"])
            next(lines)
    except (OSError, StopIteration, ValueError, KeyError, TypeError):
        return None
    name = f"{file.stem}-{re.sub('[^0-9T-]', '-', begun.partition('.')[0])}"
    kept = file.with_name(f"{name}{file.suffix}")
    number = 1
    while kept.exists():
        number += 1
        kept = file.with_name(f"{name}-{number}{file.suffix}")
    file.rename(kept)
    return kept
