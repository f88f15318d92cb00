"""The examiner: the process that owns the cloud, runs the source's locked cells and tests, and says what a test is worth.

It runs the teacher's code only. What it takes from the candidate are values and stand-ins (`crossing`), requests to the cloud
(`aws`) and outputs. Everything that it answers goes to the invigilator.
"""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from multiprocessing.connection import Connection
from typing import Any

from autograder import verdicts, whereabouts
from autograder.aws import examiner as aws
from autograder.booklet import Booklet
from autograder.crossing import Crossing
from autograder.folder import put_file
from autograder.jail import JailSettings, enter_examiner
from autograder.namespace import Namespace, plain_values
from autograder.peer import Peer, PeerGone, ProtocolError
from autograder.records import Limits, Outcome
from autograder.sheet import PaperNotebook
from autograder.shell import Ran, make_shell, warm
from autograder.sitting.messages import MessageError, checked
from bentocola.checks import replay, seeds

__all__ = ["main"]


def main(control: Connection, exam: Connection, settings: dict[str, Any]) -> None:
    """Lock this process, and run what the invigilator sends until it is gone. Does not return.

    `settings`: JailSettings, as JSON.
    """
    jail = JailSettings.from_json(settings)
    warm()
    enter_examiner(jail, (control, exam))
    try:
        _Examiner(control, exam, jail.limits).serve()
    finally:
        os._exit(0)


class _Examiner:
    def __init__(self, control: Connection, exam: Connection, limits: Limits) -> None:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        self._control = Peer(control, limits=limits, name="invigilator")
        self._exam = Peer(exam, limits=limits, name="candidate")
        self._shell = make_shell(self._publish, limits)
        self._crossing = _Crossing(self._exam, self._compiled)
        self._namespace = Namespace(self._crossing.lookup)
        self._shell.take_namespace(self._namespace)
        self._gate = aws.Gate(self._exam, limits)
        aws.use(self._exam)
        replay.never()
        self._booklet = Booklet(PaperNotebook("", ()))
        self._bound: dict[str, tuple[dict[str, Any], dict[str, str | None]]] = {}
        self._exam.handle("output", self._put_out)
        self._exam.handle("replay", self._replay)
        self._exam.handle("settle", self._settle)
        self._control.handle("open", self._open)
        self._control.handle("files", put_file)
        self._control.handle("cell", self._cell)
        self._control.handle("hits", lambda head, body: self._hits())
        self._control.handle("ping", lambda head, body: {})

    def serve(self) -> None:
        """The main loop."""
        self._control.serve(self._exam)

    def _open(self, head: Any, body: bytes) -> dict[str, Any]:
        """Take the notebook's sheet: {"language", "notebook": as JSON, "secret"}. Its modules, the teacher's, are imported.

        The course's secret stays out of the environment, which cells may read and change.
        """
        seeds.use(str(head.get("secret", "")))
        self._booklet = Booklet.from_json(head["notebook"], head["language"])
        self._gate.language = self._booklet.language
        for module in self._booklet.modules:
            with suppress(Exception, SystemExit):
                importlib.import_module(module)
        return {}

    # Cells

    def _cell(self, head: Any, body: bytes) -> dict[str, Any]:
        cell, source = str(head["id"]), str(head["source"])
        before = dict(os.environ)
        # What a thread that a cell has left behind met since then is nobody's.
        self._gate.take_hits()
        with self._namespace.cell(self._booklet.owners(cell)):
            if head["kind"] == "locked":
                with self._gate.recording(cell):
                    ran = self._shell.run(source, self._publish, head.get("count"))
            else:
                with self._gate.testing():
                    ran = self._shell.run(source, self._publish, head.get("count"))
        self._crossing.forget()
        hits = self._hits()
        if head["kind"] == "locked":
            values = plain_values(self._namespace, self._namespace.bound_by_last_cell)
            self._bound[cell] = values, _changes(before, dict(os.environ))
            return asdict(verdicts.outcome(ran)) | hits
        return asdict(self._verdict(source, ran, float(head["points"]), "cloud" if hits["hits"] else "error")) | hits

    def _hits(self) -> dict[str, Any]:
        """Return the limits that were met at the cloud since the last time: during a cell of the candidate's, say."""
        return {"hits": [hit.detail for hit in self._gate.take_hits()]}

    def _verdict(self, source: str, ran: Ran, points: float, cause: str) -> Outcome:
        """Return what a test is worth. `cause`: of its failing, if it failed."""
        found = verdicts.score(ran.value, points) if ran.status == "ok" else verdicts.Score(0.0)
        failed = verdicts.failure(ran.value) if ran.status == "ok" else None
        error = ran.error or failed
        if self._exam.gone:
            # Asked here, since the test may have caught what told of it.
            why = "gone" if self._exam.why is None else "protocol"
            return verdicts.outcome(ran, found, why, failed=failed)
        if error is None or found.earned is None:
            return verdicts.outcome(ran, found, cause if ran.status != "ok" else None)
        name = self._shell.file_name
        texts = self._booklet.texts(name)
        told = verdicts.said(
            error,
            name(source),
            texts,
            student=verdicts.of_student(error),
            language=self._booklet.language,
            secrets=self._booklet.secrets,
        )
        return verdicts.outcome(ran, found, cause, told, failed=failed)

    # What the candidate asks

    def _put_out(self, head: Any, body: bytes) -> None:
        """Take an output of a call into the candidate: it is the test's own, so that a test may catch it."""
        try:
            message = checked(head)
        except MessageError:
            return
        kind, content = message["msg_type"], message["content"]
        if kind in ("execute_result", "error"):
            return  # of a call there is none: it would look as if it were the test's
        screen: Any = self._shell.display_pub
        if kind == "stream":
            (sys.stdout if content["name"] == "stdout" else sys.stderr).write(content["text"])
        elif kind in ("display_data", "update_display_data"):
            update = kind == "update_display_data"
            screen.publish(content["data"], content["metadata"], transient=content["transient"], update=update)
        elif kind == "clear_output":
            screen.clear_output(content["wait"])
        else:
            self._publish({**head, "parent": self._shell.wire.current})

    def _replay(self, head: Any, body: bytes) -> dict[str, Any]:
        """The candidate begins with a locked cell: its requests get what ours got."""
        self._gate.replay(str(head["cell"]))
        return {}

    def _settle(self, head: Any, body: bytes) -> dict[str, Any]:
        """The candidate has run a locked cell: it gets our plain values and our changes of the environment."""
        self._gate.replay(None)
        values, environ = self._bound.pop(str(head["cell"]), ({}, {}))
        self._crossing.push(values, environ)
        return {}

    def _compiled(self, text: str, number: int) -> str:
        """Register a cell of the student's for tracebacks, under a name that none of our own cells has."""
        return str(self._shell.compile.cache(text, number, raw_code=f"# the candidate's\n{text}"))

    def _publish(self, message: dict[str, Any]) -> None:
        with suppress(PeerGone, ProtocolError):
            self._control.notify("output", message)


class _Crossing(Crossing):
    """The examiner's end. An exception of the student's code comes with the lines of the student's cells that it came through."""

    def __init__(self, peer: Peer, compiled: Callable[[str, int], str]) -> None:
        super().__init__(peer, "examiner")
        self._exam = peer
        self._compiled = compiled

    def do(self, handle: int, what: str, arguments: tuple[Any, ...]) -> Any:
        """As the base class does."""
        try:
            return super().do(handle, what, arguments)
        except Exception as error:
            if (number := whereabouts.handle_of(error)) is not None:
                told, _ = self._exam.call("spots", {"handle": number})
                whereabouts.attach(error, told, self._compiled)
            raise


def _changes(before: dict[str, str], after: dict[str, str]) -> dict[str, str | None]:
    """Return what was set, and what was deleted (None)."""
    names = {*before, *after}
    return {name: after.get(name) for name in sorted(names) if before.get(name) != after.get(name)}
