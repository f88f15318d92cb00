"""What the invigilator makes of what rooms send: outputs put together and cut, points taken or refused, cells stopped in time."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.records import CheckResult, Limits, Outcome, Record
from autograder.sheet import PaperCell, PaperNotebook, Place
from autograder.sitting import marks
from autograder.sitting.bell import bell
from autograder.sitting.messages import MessageError, checked
from autograder.sitting.outputs import Outputs
from autograder.sitting.written import blank, write_notebook, write_record

TOO_MUCH = "Too much."


def notebook(cells: int = 1) -> NotebookNode:
    """Return a notebook of empty code cells."""
    return nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("1") for _ in range(cells)])


def stream(text: str, name: str = "stdout") -> dict[str, Any]:
    """Return a message with text of a stream."""
    return {"msg_type": "stream", "content": {"name": name, "text": text}, "metadata": {}, "parent": "p"}


def display(kind: str, text: str, display_id: str | None = None) -> dict[str, Any]:
    """Return a message of a display."""
    content = {
        "data": {"text/plain": text},
        "metadata": {},
        "transient": {"display_id": display_id} if display_id else {},
    }
    return {"msg_type": kind, "content": content, "metadata": {}, "parent": "p"}


def put_together(*messages: dict[str, Any], limits: Limits | None = None) -> tuple[NotebookNode, bool]:
    """Return a cell with the outputs that the messages bring, and whether something was dropped."""
    book = notebook()
    outputs = Outputs(book, limits or Limits(), TOO_MUCH)
    outputs.begin(0)
    for message in messages:
        outputs.take(message)
    cut = outputs.end(7)
    nbformat.validate(book)
    return book.cells[0], cut


def texts(cell: NotebookNode) -> list[str]:
    """Return the texts of a cell's outputs."""
    return [output.text if output.output_type == "stream" else output.data["text/plain"] for output in cell.outputs]


# Outputs


def test_streams_of_one_name_are_one_output() -> None:
    """Where a stream's text is parted is a matter of timing, and leaves no trace."""
    cell, cut = put_together(stream("a"), stream("b\n"), stream("c", "stderr"), stream("d"))

    assert texts(cell) == ["ab\n", "c", "d"]
    assert not cut


def test_an_update_changes_the_display_it_belongs_to() -> None:
    """A display id leads to the output that bears it, in an earlier cell too."""
    book = notebook(2)
    outputs = Outputs(book, Limits(), TOO_MUCH)
    outputs.begin(0)
    outputs.take(display("display_data", "before", "one"))
    outputs.end(1)
    outputs.begin(1)
    outputs.take(display("update_display_data", "after", "one"))
    outputs.end(2)

    assert texts(book.cells[0]) == ["after"]
    assert texts(book.cells[1]) == []


def test_clear_output_waits_for_the_next_output() -> None:
    """As in Jupyter: at once, or when the next output comes."""
    clear = {"msg_type": "clear_output", "content": {"wait": True}, "metadata": {}}

    assert texts(put_together(stream("a"), clear)[0]) == ["a"]
    assert texts(put_together(stream("a"), clear, stream("b"))[0]) == ["b"]
    assert texts(put_together(stream("a"), {**clear, "content": {"wait": False}})[0]) == []


def test_a_result_bears_the_number_of_its_cell() -> None:
    """The notebook's own count, whatever the room's is."""
    cell, _ = put_together(display("execute_result", "1"))

    assert cell.execution_count == 7
    assert cell.outputs[0].execution_count == 7


def test_what_comes_between_two_cells_is_dropped() -> None:
    """As in Jupyter: a thread of an earlier cell writes into none of the others."""
    book = notebook()
    outputs = Outputs(book, Limits(), TOO_MUCH)
    outputs.take(stream("early"))
    outputs.begin(0)
    outputs.end(1)
    outputs.take(stream("late"))

    assert book.cells[0].outputs == []


@pytest.mark.parametrize(
    ("limits", "messages", "left"),
    [
        (Limits(output_lines=2), [stream("1\n2\n3\n")], "1\n2\n"),
        (Limits(output_lines=2), [stream("1\n"), stream("2\n"), stream("3")], "1\n2\n"),
        (Limits(output_bytes=4), [stream("12345")], "1234"),
        (Limits(output_bytes=4), [stream("日本")], "日"),
    ],
    ids=["lines", "lines in parts", "bytes", "half a character"],
)
def test_output_over_the_limit_is_cut(limits: Limits, messages: list[dict[str, Any]], left: str) -> None:
    """What there is room for stays, and a sentence stands for the rest."""
    cell, cut = put_together(*messages, limits=limits)

    assert texts(cell) == [left, f"[{TOO_MUCH}]\n"]
    assert cut


@pytest.mark.parametrize("text", ["1\n2\n", "1\n2"])
def test_output_up_to_the_limit_is_kept(text: str) -> None:
    """A limit of two lines is a limit of two lines."""
    cell, cut = put_together(stream(text), limits=Limits(output_lines=2))

    assert texts(cell) == [text]
    assert not cut


def test_a_display_over_the_limit_is_left_out_whole() -> None:
    """Half a picture is none."""
    cell, cut = put_together(display("display_data", "x" * 100), limits=Limits(output_bytes=50))

    assert texts(cell) == [f"[{TOO_MUCH}]\n"]
    assert cut


def test_an_error_is_never_cut_off() -> None:
    """It says what came of the cell, however much came before."""
    error = {"ename": "E", "evalue": "", "traceback": ["E"]}
    message = {"msg_type": "error", "content": error, "metadata": {}}
    cell, _ = put_together(stream("12345"), *[message] * 100, limits=Limits(output_bytes=50, output_lines=0))

    assert [output.output_type for output in cell.outputs] == ["error"] * 3 + ["stream"]


def test_what_was_cleared_makes_room() -> None:
    """A progress display that clears itself a thousand times is no flood."""
    clear = {"msg_type": "clear_output", "content": {"wait": True}, "metadata": {}}
    messages = [message for n in range(100) for message in (clear, stream(f"{n}\n"))]

    cell, cut = put_together(*messages, limits=Limits(output_lines=3, output_bytes=50))

    assert texts(cell) == ["99\n"]
    assert not cut


def test_a_limit_that_the_room_met_itself_is_told() -> None:
    """The room drops what is too much before it is sent."""
    limit = {"msg_type": "limit", "content": {"what": "lines"}, "metadata": {}}

    assert texts(put_together(stream("a"), limit)[0]) == ["a", f"[{TOO_MUCH}]\n"]


def test_the_state_of_widgets_is_kept() -> None:
    """In the notebook's metadata, as nbclient keeps it."""
    state = {
        "_model_name": "IntSliderModel",
        "_model_module": "@jupyter-widgets/controls",
        "_model_module_version": "2.0.0",
    }
    opened = {"comm_id": "c", "target_name": "jupyter.widget", "data": {"state": {**state, "value": 1}}}
    book = notebook()
    outputs = Outputs(book, Limits(), TOO_MUCH)
    outputs.begin(0)
    outputs.take({"msg_type": "comm_open", "content": opened, "metadata": {}})
    outputs.take({"msg_type": "comm_msg", "content": {"comm_id": "c", "data": {"state": {"value": 2}}}, "metadata": {}})
    outputs.end(1)
    outputs.finish()

    kept = book.metadata.widgets["application/vnd.jupyter.widget-state+json"].state["c"]
    assert kept.model_name == "IntSliderModel"
    assert kept.state.value == 2


# Messages of a student's making


@pytest.mark.parametrize(
    "message",
    [
        None,
        [],
        {},
        {"msg_type": "execute_input", "content": {}},
        {"msg_type": "stream", "content": []},
        {"msg_type": "stream", "content": {"name": "stdin", "text": ""}},
        {"msg_type": "stream", "content": {"name": "stdout", "text": 5}},
        {"msg_type": "display_data", "content": {"data": "x"}},
        {"msg_type": "error", "content": {"ename": "E", "evalue": "", "traceback": "x"}},
        {"msg_type": "error", "content": {"ename": 1, "evalue": "", "traceback": []}},
        {"msg_type": "comm_open", "content": {"comm_id": {}}},
        {"msg_type": "stream", "content": {"name": "stdout", "text": ""}, "buffers": ["%"]},
    ],
)
def test_what_no_shell_sends_is_refused(message: Any) -> None:
    """With a sentence, before anything is done with it."""
    with pytest.raises(MessageError, match=r"^Expected"):
        checked(message)


def test_no_message_makes_an_invalid_notebook() -> None:
    """Values of a wrong kind become text, and half a character becomes a sign: the file can be written and read."""
    odd = {"data": {"text/plain": 5, "text/html": ["a", "b"], "application/json": {"a": [1]}}, "metadata": {"x": 1}}
    cell, _ = put_together(
        {"msg_type": "display_data", "content": odd, "metadata": {}},
        stream("\ud800"),
        {"msg_type": "display_data", "content": {"data": {}, "metadata": {}, "transient": {"display_id": []}}},
    )

    assert cell.outputs[0].data == {"text/plain": "5", "text/html": "ab", "application/json": {"a": [1]}}
    assert cell.outputs[1].text == "?"


# Points


def graded_cell(**changes: Any) -> PaperCell:
    """Return a test cell of two points."""
    return PaperCell(**{"grade_id": "t", "cell_type": "code", "role": "test", "text": "x", "points": 2.0, **changes})


@pytest.mark.parametrize(
    "answer",
    [
        None,
        {"status": "fine"},
        {"status": "ok", "earned": 3},
        {"status": "ok", "earned": -1},
        {"status": "ok", "earned": float("nan")},
        {"status": "ok", "earned": True},
        {"status": "ok", "earned": "2"},
        {"status": "ok", "ename": []},
    ],
)
@pytest.mark.parametrize("trusted", [True, False])
def test_an_outcome_out_of_reach_is_none(answer: Any, trusted: bool) -> None:
    """Points lie between nothing and what the cell has, wherever they come from."""
    with pytest.raises(ValueError, match="Expected"):
        marks.outcome_of(answer, 2.0, trusted=trusted)


@pytest.mark.parametrize(
    ("outcome", "stopped", "known", "earned", "named"),
    [
        (Outcome("ok", earned=2.0), None, None, 2.0, None),
        (Outcome("ok", earned=0.5), None, None, 0.5, None),
        (Outcome("error", earned=0.0, cause="error"), None, None, 0.0, "error"),
        (Outcome("error"), "time", None, 0.0, "time"),
        (Outcome("ok", earned=2.0), "time", None, 0.0, "time"),
        (Outcome("error", earned=0.0, cause="gone"), None, "exit", 0.0, "exit"),
        (Outcome("ok", earned=0.5), None, "gone", 0.5, "gone"),
        (Outcome("ok", earned=2.0), None, "exit", 2.0, None),
        (Outcome("ok", fault="False"), None, None, None, "test-fault"),
    ],
)
def test_a_test_s_result(
    outcome: Outcome, stopped: str | None, known: str | None, earned: float | None, named: str | None
) -> None:
    """Points for what held, a name for what is missing, none for what was stopped, a person for what gave no score."""
    result = marks.result(graded_cell(), outcome, stopped=stopped, known=known)

    assert (result.earned, result.cause, result.where) == (earned, named, "examiner")


def test_a_test_in_the_candidate_is_marked() -> None:
    """The teacher sees which verdicts come from the student's own process."""
    assert marks.result(graded_cell(together=True), Outcome("ok", earned=1.0)).where == "candidate"


@pytest.mark.parametrize(
    ("solution", "untouched", "earned", "answered"),
    [(True, True, 0.0, False), (True, False, None, True), (False, True, None, False)],
    ids=["answer not given", "answer given", "not an answer"],
)
def test_what_a_person_grades(solution: bool, untouched: bool, earned: float | None, answered: bool) -> None:
    """It stays open; an answer that was not given has none of the points, as in nbgrader."""
    cell = graded_cell(role="manual", metadata={"nbgrader": {"solution": solution}})

    result = marks.graded_by_person(cell, {"t"} if untouched else set())

    assert (result.earned, result.answered, result.where) == (earned, answered, "nobody")


# Time


def test_no_step_is_taken_in_time() -> None:
    """What ends in its time is left alone."""
    taken: list[int] = []

    with bell((60, lambda: taken.append(1))) as rings:
        pass

    assert (taken, rings.rung) == ([], 0)


def test_steps_are_taken_one_after_the_other() -> None:
    """First it is asked to stop, then it is ended."""
    taken: list[str] = []
    ended = threading.Event()

    def end() -> None:
        taken.append("end")
        ended.set()

    with bell((0, lambda: taken.append("ask")), (0, end)) as rings:
        assert ended.wait(60)

    assert (taken, rings.rung) == (["ask", "end"], 2)


# On disk


def test_the_notebook_of_nobody_is_as_released(tmp_path: Path) -> None:
    """nbgrader's tools find a valid notebook with the assignment's cells, and no solution."""
    answer = PaperCell(
        "a", "code", "answer", "return 1", metadata={"nbgrader": {"grade_id": "a"}}, released_text="# yours"
    )
    layout = (Place("one", "markdown", "Read me."), Place("two", "code", "# yours", "a"))
    sheet = PaperNotebook(
        "n", (answer,), {"kernelspec": {"name": "python3", "display_name": "Python 3"}}, layout=layout
    )

    write_notebook(blank(sheet), tmp_path / "n.ipynb")

    read = nbformat.read(tmp_path / "n.ipynb", as_version=4)
    assert [(cell.id, cell.source) for cell in read.cells] == [("one", "Read me."), ("two", "# yours")]
    assert read.cells[1].metadata.nbgrader.grade_id == "a"


def test_a_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    """Nothing is lost on disk, and nothing unfinished is left beside it."""
    check = CheckResult("t", 2.0, 1.0)
    record = Record("ps1", "ana", "n", "d", "A", checks=(check,), ran={"seconds": 1.0})

    write_record(record, tmp_path / "n.json")

    assert Record.from_json(json.loads((tmp_path / "n.json").read_text(encoding="utf-8"))) == record
    assert [path.name for path in tmp_path.iterdir()] == ["n.json"]
