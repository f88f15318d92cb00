"""A lab that is open: its cloud with what is given, the requests that reach it, and what the control door answers for the lab.

Below `/_bentocola/`, JSON in and out:

    GET  lab                {"name", "prefix", "language", "folder", "port"}
    POST lab/check          {"step": 1, or null for all}; answers {"holds": bool, "proven": [sentence], "missing": [sentence],
                            "remarks": [sentence]}
    POST lab/cleanup-check  answers in the same form
    POST lab/reset          a new cloud with what is given; answers {"said": [sentence]}
    POST lab/stop           ends the server; answers {"said": [sentence]}
    GET  view               a page with the AWS view

It is handed the way to start a cloud, so that a test can give it one that stands still.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlsplit

from bentocola.cli.control import Control, Refusal
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Request, Response
from bentocola.cloud.wires.http import CONTROL
from bentocola.labs import given, verdict
from bentocola.labs.catalogue import Lab
from bentocola.labs.folder import Folder
from bentocola.labs.history import History
from bentocola.labs.journal import Journal
from bentocola.messages import translate
from bentocola.reasons import why

__all__ = ["Room"]

_LOOK_SECONDS = 0.2
"""How often it asks a cloud that has ended for its successor."""


class Room:
    """Serves one lab, from when it is made until `stop`."""

    def __init__(
        self,
        lab: Lab,
        language: str,
        folder: Folder,
        endpoint: str,
        start: Callable[[str], Cloud],
        end: Callable[[], None] = lambda: None,
        again: str = "",
    ) -> None:
        """`start(language)` gives a new cloud in place of the one before; `end` has the server end. Raises OSError.

        `again`: the command that opens this very lab again.
        """
        self.lab, self.language = lab, language
        self._folder, self._endpoint = folder, endpoint
        self._start, self._end, self._again = start, end, again
        self._say = partial(translate, language)
        self.journal = Journal(folder.trace_file)
        self._ended = threading.Event()
        self._beginning = threading.Lock()
        self._begin()
        self._thread = threading.Thread(target=self._follow, name="bentocola-journal", daemon=True)
        self._thread.start()

    def _begin(self) -> None:
        cloud = self._start(self.language)
        given.make(cloud, self.lab.given, self.lab.starter(self.language))
        # Only now: what led to it is no part of the trace, nor of the file.
        self.cloud = cloud
        self._given = cloud.trace.data()["initial"]
        self._control = Control(
            cloud,
            rooms={
                f"{CONTROL}lab": {"GET": self._described},
                f"{CONTROL}lab/check": {"POST": self._check},
                f"{CONTROL}lab/cleanup-check": {"POST": self._cleanup_check},
                f"{CONTROL}lab/reset": {"POST": self._reset},
                f"{CONTROL}lab/stop": {"POST": self._stop},
                f"{CONTROL}view": {"GET": self._view},
            },
        )
        self.journal.write(self.cloud.trace)

    def handle(self, request: Request) -> Response:
        """Answer an AWS request. What it led to is on disk before the answer goes out."""
        response = self.cloud.handle(request)
        self.journal.write(self.cloud.trace)
        return response

    def control(self, request: Request) -> Response:
        """Answer a request to the control door."""
        response = self._control(request)
        self.journal.write(self.cloud.trace)
        return response

    def stop(self) -> None:
        """End the cloud."""
        self._ended.set()
        self.journal.write(self.cloud.trace)
        self.cloud.stop()
        self._thread.join(5)
        self.journal.close()

    def _follow(self) -> None:
        """Write down what happens by itself."""
        while not self._ended.is_set():
            trace = self.cloud.trace
            trace.wait(self.journal.story, self.journal.written, 1.0)
            self.journal.write(trace)
            if trace.has_ended:
                self._ended.wait(_LOOK_SECONDS)

    # What the control door answers

    def _described(self, _: Request) -> dict[str, Any]:
        return {
            "name": self.lab.name,
            "prefix": self.lab.prefix,
            "language": self.language,
            "folder": str(self._folder.path),
            "port": urlsplit(self._endpoint).port,
        }

    def _check(self, request: Request) -> dict[str, Any]:
        step = self._asked_step(request)
        return verdict.check(self.lab, self._history(), self._say, step).told()

    def _cleanup_check(self, _: Request) -> dict[str, Any]:
        return verdict.cleanup_check(self.lab, self._history(), self._say).told()

    def _history(self) -> History:
        self.cloud.look()
        data = self.cloud.trace.data()
        return History(data["initial"], data["steps"], self._given)

    def _asked_step(self, request: Request) -> int | None:
        try:
            told = json.loads(request.body or b"{}")
            step = told.get("step") if isinstance(told, dict) else told
        except (ValueError, RecursionError):
            step = request.body.decode(errors="replace")
        known = range(1, len(self.lab.steps) + 1)
        if step is not None and (not isinstance(step, int) or isinstance(step, bool) or step not in known):
            raise Refusal(
                self._say(
                    "The lab's steps with a check are {first} to {last}; it got {got!r}.",
                    first=1,
                    last=known[-1],
                    got=step,
                )
            )
        return step

    def _reset(self, _: Request) -> dict[str, list[str]]:
        try:
            with self._beginning:  # two who ask at once get one new cloud after the other
                self.journal.write(self.cloud.trace)
                self._begin()
                beside = self._folder.begin_anew(self.lab.starter(self.language))
        except OSError as error:
            raise Refusal(
                self._say(
                    "The lab begins anew, but its folder {path} cannot be written: {why}.",
                    path=self._folder.path,
                    why=why(error),
                )
            ) from None
        said = [self._say("The lab begins anew: the cloud holds what was given, and nothing else.")]
        for name in beside:
            said.append(self._say("Your own file stays as it is. A fresh starter is beside it: {name}.", name=name))
        if self.journal.kept:
            said.append(self._say("The trace so far is kept in {path}.", path=self.journal.kept))
        return {"said": said}

    def _stop(self, _: Request) -> dict[str, list[str]]:
        self._end()
        return {"said": [self._say("The lab ends. Your folder {path} stays as it is.", path=self._folder.path)]}

    def _view(self, _: Request) -> Response:
        from bentocola.views.page import page

        text = page(self.language, {"name": self.lab.name, "prefix": self.lab.prefix, "again": self._again})
        headers = {"Content-Type": "text/html; charset=utf-8", "Cache-Control": "no-store"}
        return Response(200, headers, text.encode())
