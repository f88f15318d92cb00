"""One notebook of one submission: its cells in their order, each in the room where it belongs, each within its time."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from nbformat import NotebookNode

from autograder.peer import PeerError, PeerGone, ProtocolError
from autograder.records import CheckResult, LimitHit, Limits, Outcome, TestFault
from autograder.sheet import PaperCell, PaperNotebook
from autograder.sitting import marks
from autograder.sitting.bell import Bell, bell
from autograder.sitting.lines import Lines
from autograder.sitting.messages import MessageError
from autograder.sitting.outputs import Outputs
from autograder.sitting.rooms import Room

__all__ = ["Sat", "Sitting"]

Say = Callable[..., str]

_CLOUD_SECONDS = 5
"""For the examiner's answer between two cells, beside a request that a thread has left it with."""


@dataclass
class Sat:
    """What came of a sitting: `checks` of tests by grade_id, in the notebook's order; seconds by cell."""

    checks: dict[str, CheckResult] = field(default_factory=dict)
    limits: list[LimitHit] = field(default_factory=list)
    faults: list[TestFault] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)


class _Stopped(Exception):
    """A cell that did not end by itself; its only argument is the cause."""


class Sitting:
    """Runs the cells of `notebook`, in which it puts their outputs."""

    def __init__(
        self, notebook: NotebookNode, paper: PaperNotebook, candidate: Room, examiner: Room, limits: Limits, say: Say
    ) -> None:
        self._notebook = notebook
        self._paper: Mapping[str, PaperCell] = {cell.grade_id: cell for cell in paper.cells}
        self._candidate, self._examiner = candidate, examiner
        self._limits = limits
        self._say = say
        self._outputs = Outputs(
            notebook, limits, say("The rest of this cell's output was left out: there was too much of it.")
        )
        self._over = time.monotonic() + limits.submission_seconds
        self._gone: dict[str, str] = {}
        """Why a room is no more, by its name."""
        self._sat = Sat()
        self._lines = Lines(notebook, paper)
        self._asked: Room | None = None
        """The room that runs the cell, or ran the last one."""
        self._bad: set[str] = set()
        """Rooms that sent what no shell sends."""
        for room in (candidate, examiner):
            room.peer.handle("output", partial(self._take, room))

    def run(self) -> Sat:
        """Run all cells and return what came of them. Never raises over what a submission does."""
        count = 0
        for index, cell in enumerate(self._notebook.cells):
            if cell.cell_type != "code":
                continue
            known = self._paper.get(cell.metadata.get("nbgrader", {}).get("grade_id", ""))
            cell.outputs, cell.execution_count = [], None
            if not cell.source.strip() or (known is None and "skip-execution" in cell.metadata.get("tags", [])):
                continue  # as stock does
            count += 1
            self._cell(index, cell, known, count)
        self._outputs.finish()
        return self._sat

    def _cell(self, index: int, cell: NotebookNode, known: PaperCell | None, count: int) -> None:
        name = known.grade_id if known is not None else cell.get("id", str(index))
        role = known.role if known is not None else "answer"
        head = {"id": name, "index": index, "source": cell.source, "kind": role, "count": count}
        begun = time.monotonic()
        self._outputs.begin(index)
        if known is not None and role == "test":
            self._test(known, head)
        elif role == "locked":
            self._locked(head)
        else:
            self._answer(name, head)
        cut = self._outputs.end(count)
        if cut:
            self._sat.limits.append(LimitHit(name, "output"))
        self._sat.seconds[name] = round(time.monotonic() - begun, 4)

    # Kinds of cells

    def _test(self, cell: PaperCell, head: dict[str, Any]) -> None:
        room = self._candidate if cell.together else self._examiner
        head |= {"points": cell.points}
        if cell.together:
            head["kind"] = "together"
        else:
            head["hidden"] = cell.hidden
        if room.name in self._gone or time.monotonic() > self._over:
            why = self._why(room) if room.name in self._gone else "time"
            self._sat.checks[cell.grade_id] = marks.without_run(cell, why)
            self._explain(why)
            return
        before = self._gone.get("candidate")
        outcome, stopped = Outcome("error"), None
        try:
            outcome = self._ask(room, head, cell.points)
        except _Stopped as error:
            stopped = error.args[0]
        if "candidate" not in self._gone and (outcome.cause == "gone" or self._candidate.peer.gone):
            self._lost(self._candidate, cell.grade_id)
        # Who ended during this test ended over this test.
        known = "gone" if before else self._gone.get("candidate") or marks.limit_met(outcome)
        if known in marks.LIMITS:
            self._hit(cell.grade_id, known)
        outcome = self._lines.checked(outcome)
        if outcome.fault is not None and stopped is None:
            self._sat.faults.append(TestFault(cell.grade_id, outcome.fault))
        self._sat.checks[cell.grade_id] = marks.result(cell, outcome, stopped=stopped, known=known)

    def _locked(self, head: dict[str, Any]) -> None:
        for room in (self._examiner, self._candidate):
            # What the candidate's run of it puts out is what the student saw; the examiner's stands where there is none.
            if room is self._candidate and "candidate" not in self._gone:
                self._outputs.begin(head["index"])
            self._run(room, head)

    def _answer(self, name: str, head: dict[str, Any]) -> None:
        self._run(self._candidate, head)

    def _run(self, room: Room, head: dict[str, Any]) -> None:
        if room.name in self._gone:
            self._explain(self._why(room))
        elif time.monotonic() > self._over:
            self._explain("time")
        else:
            try:
                outcome = self._ask(room, head, None)
            except _Stopped:
                outcome = None
            if room is self._candidate:
                self._ask_of_the_cloud(head["id"])
            if outcome is not None and (cause := marks.limit_met(outcome)):
                self._hit(head["id"], cause)

    def _ask_of_the_cloud(self, cell: str) -> None:
        """Note which limits of the cloud a cell of the candidate's has met: else they would be told of at the next test."""
        if "examiner" in self._gone:
            return
        seconds = _CLOUD_SECONDS + self._limits.request_seconds
        with bell((seconds, self._candidate.kill), (self._limits.grace_seconds, self._examiner.kill)) as rings:
            try:
                answer, _ = self._examiner.peer.call("hits", {})
                self._met(cell, answer)
            except PeerError:
                pass
            except (PeerGone, ProtocolError, ValueError):
                self._lost(self._examiner, cell, "examiner")
        if rings.rung and "candidate" not in self._gone:
            self._lost(self._candidate, cell, "time")

    def _met(self, cell: str, answer: Any) -> None:
        """Note the first limit of the cloud that the examiner tells of in an answer."""
        for detail in marks.details_of(answer)[:1]:
            self._hit(cell, "cloud", detail)

    # Asking a room

    def _ask(self, room: Room, head: dict[str, Any], possible: float | None) -> Outcome:
        """Have a room run a cell. Raises _Stopped, with the cause, if it did not end by itself."""
        seconds = max(0.0, min(self._limits.cell_seconds, self._over - time.monotonic()))
        grace = self._limits.grace_seconds
        with bell(*self._steps(room, seconds, grace)) as rings:
            try:
                self._asked = room
                answer, _ = room.peer.call("cell", head)
                if room is self._examiner:
                    self._met(head["id"], answer)
                outcome = marks.outcome_of(answer, possible, trusted=room is self._examiner)
            except PeerGone:
                raise _Stopped(self._ended(room, head["id"], rings)) from None
            except PeerError as error:
                # Its own part broke; an interrupt that came at a bad moment does that.
                if not rings.rung:
                    if room is self._examiner:
                        return Outcome("error", fault=f"the examiner failed: {error}")
                    room.kill()
                    raise _Stopped(self._lost(room, head["id"], "protocol")) from None
            except (ProtocolError, ValueError):
                room.kill()
                raise _Stopped(self._lost(room, head["id"], "protocol")) from None
        if rings.rung:
            self._after_bell(head["id"])
            raise _Stopped("time")
        return outcome

    def _steps(self, room: Room, seconds: float, grace: float) -> list[tuple[float, Callable[[], None]]]:
        """What happens to a cell that does not end."""
        if room is self._candidate:
            return [(seconds, room.interrupt), (grace, room.kill)]

        def interrupt_both() -> None:
            self._candidate.interrupt()
            self._examiner.interrupt()

        return [(seconds, interrupt_both), (grace, self._candidate.kill), (grace, self._examiner.kill)]

    def _after_bell(self, cell: str) -> None:
        """A cell was interrupted, and its room lives: note it, and see to it that the candidate is free again."""
        self._hit(cell, "time")
        if "candidate" in self._gone:
            return
        with bell((self._limits.grace_seconds, self._candidate.kill)) as rings:
            try:
                self._candidate.peer.call("ping", {})
            except PeerError:
                pass  # an answer too
            except (PeerGone, ProtocolError):
                self._lost(self._candidate, cell, "time" if rings.rung else None)

    def _ended(self, room: Room, cell: str, rings: Bell) -> str:
        """A room ended while it ran a cell: say why."""
        if room is self._candidate:
            return self._lost(room, cell, "time" if rings.rung else None)
        return self._lost(room, cell, "examiner")

    def _lost(self, room: Room, cell: str, cause: str | None = None) -> str:
        """Write a room off, and return the cause. `cause`: where it is known better than its end tells."""
        found, detail = room.ended()
        cause = "protocol" if room.name in self._bad else cause
        self._gone[room.name] = cause or found
        self._hit(cell, cause or found, {} if cause and cause != found else detail)
        self._explain(cause or found)
        return cause or found

    def _why(self, room: Room) -> str:
        return "gone" if room is self._candidate else "examiner"

    # Saying

    def _hit(self, cell: str, cause: str, detail: dict[str, str] | None = None) -> None:
        if cause == "time" and not detail and time.monotonic() < self._over:
            detail = {"seconds": f"{self._limits.cell_seconds:g}"}  # else it was the whole submission's time
        if not any(hit.cell == cell and hit.cause == cause for hit in self._sat.limits):
            self._sat.limits.append(LimitHit(cell, cause, detail or {}))

    def _explain(self, cause: str) -> None:
        """Say in the notebook why the cell was stopped, or did not run."""
        self._outputs.add_error(cause, self._sentence(cause))

    def _sentence(self, cause: str) -> str:
        say = self._say
        sentences = {
            "time": say("This cell was stopped: its time was over."),
            "memory": say("This cell was stopped: it asked for more memory than is allowed."),
            "exit": say("This cell ended the process in which it ran."),
            "signal": say("The process in which this cell ran was ended by a signal."),
            "processes": say("This cell was stopped: it started more processes than are allowed."),
            "disk": say("This cell was stopped: the working folder was full."),
            "gone": say("This cell did not run: an earlier cell had ended the process."),
            "protocol": say("This cell was stopped: what its process sent was no answer."),
            "examiner": say("This cell was stopped: the examiner did not answer any more."),
        }
        return sentences.get(cause, cause)

    def _take(self, room: Room, message: Any, body: bytes) -> None:
        """Take an output of the room that runs the cell. One that sends what no shell sends is ended."""
        if room is not self._asked:
            return  # of a thread that a cell has left behind: it would stand at another cell
        try:
            self._outputs.take(message)
        except MessageError:
            self._bad.add(room.name)
            room.kill()
