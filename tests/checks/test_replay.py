"""The replay of a failing result: a folded stepper below the result in a notebook, and nothing where nothing could draw it."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import nbformat
import pytest
from IPython.core.interactiveshell import InteractiveShell
from nbclient import NotebookClient
from nbgrader.utils import determine_grade

import bentocola
from bentocola.checks import FrameError, check, replay
from bentocola.checks.finding import Finding
from bentocola.checks.result import Result
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.trace import TraceData


@pytest.fixture
def cloud() -> Iterator[Cloud]:
    """A running cloud."""
    running = bentocola.start("ja")
    yield running
    running.stop()


def story(cloud: Cloud) -> TraceData:
    """Return a trace as a counterexample."""
    return cloud.trace.data("shortest", "counterexample")


def failed(cloud: Cloud) -> Result:
    """Return a failing result with a story."""
    happened = cloud.say("What happened: {observed}", observed="`two` items")
    return Result("save_once", 2, 0, "story", cloud.edition, happened, ("One.",), trace=story(cloud))


def test_a_story_can_be_walked_through(cloud: Cloud) -> None:
    """The stepper has the trace as a counterexample, and says what was observed."""
    made = replay.stepper(failed(cloud))

    assert made is not None
    assert (made.mode, made.language, made.fold) == ("counterexample", "ja", "")
    (trace,) = made.traces.values()
    assert trace["verdict"] == {"rule": "story", "ok": False}
    assert made.trait_values()["story"]["why"] == "two items"
    assert replay.stepper(replace(failed(cloud), trace=None)) is None


def test_a_verdict_of_the_trace_s_own_stays(cloud: Cloud) -> None:
    """It may name the rule that broke, and the steps that broke it."""
    verdict = {"rule": "stored-once", "ok": False, "blame": [1]}
    result = replace(failed(cloud), trace={**story(cloud), "verdict": verdict})
    made = replay.stepper(result)

    assert made is not None
    assert next(iter(made.traces.values()))["verdict"] == verdict


def test_the_frame_gives_its_replay(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """`test.replay()` is the stepper itself; where there is no story, a sentence says so."""
    finding = Finding("story", 3, 1, observed="two items", story=("One.",), trace=story(cloud))
    monkeypatch.setattr("bentocola.checks.frame._explore", lambda *given, **more: finding)
    with check(cloud, "save_once", 2) as test:
        test.survives(print, "repeat")
    with check(cloud, "save_once", 2) as other:
        other.equal(1, 2)

    assert test.replay().mode == "counterexample"
    with pytest.raises(FrameError):
        other.replay()


class Events:
    """IPython's events, as far as the replay asks for them."""

    def __init__(self) -> None:
        self.waiting: list[Any] = []

    def register(self, name: str, function: Any) -> None:
        assert name == "post_run_cell"
        self.waiting.append(function)

    def unregister(self, name: str, function: Any) -> None:
        self.waiting.remove(function)


class Shell:
    """A notebook's shell that runs cell "cell"."""

    kernel = True

    def __init__(self) -> None:
        self.events = Events()
        self.run = "1"

    def get_parent(self) -> dict[str, Any]:
        return {"header": {"msg_id": self.run}, "metadata": {"cellId": "cell"}}

    def end_cell(self) -> None:
        for function in list(self.events.waiting):
            function(None)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    """The shell, and in `shown` what it displays."""
    made = Shell()
    monkeypatch.setattr(replay, "_kernel_s_shell", lambda: made)
    monkeypatch.setattr(replay, "_of_cells", {})
    return made


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was displayed."""
    found: list[Any] = []
    monkeypatch.setattr(replay, "_display", found.append)
    return found


def test_it_is_shown_folded_once_the_cell_has_ended(cloud: Cloud, shell: Shell, shown: list[Any]) -> None:
    """After the cell's own output, once, and behind a line in the student's language."""
    replay.after_the_cell(failed(cloud))
    assert shown == []

    shell.end_cell()
    shell.end_cell()

    (stepper,) = shown
    assert stepper.fold == cloud.say("Walk through the story step by step")


def test_a_cell_that_runs_again_keeps_none_of_the_last_time(cloud: Cloud, shell: Shell, shown: list[Any]) -> None:
    """Two results of one run stay side by side; the next run, also one that passes, closes both."""
    for _ in range(2):
        replay.after_the_cell(failed(cloud))
    shell.end_cell()
    assert [stepper.comm is not None for stepper in shown] == [True, True]

    shell.run = "2"
    replay.after_the_cell(Result("save_once", 2, 2, "passed", "ja"))
    shell.end_cell()

    assert [stepper.comm for stepper in shown] == [None, None]


def test_a_broken_picture_breaks_no_cell(cloud: Cloud, shell: Shell, shown: list[Any]) -> None:
    """What is no trace is not drawn, and nothing is raised."""
    broken: Any = {"verdict": None}
    replay.after_the_cell(replace(failed(cloud), trace=broken))
    shell.end_cell()

    assert shown == []
    assert shell.events.waiting == []


def test_nobody_is_shown_anything_where_nobody_looks(
    cloud: Cloud, shell: Shell, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In grading it is switched off."""
    monkeypatch.setattr(replay, "_is_wanted", True)
    replay.never()
    replay.after_the_cell(failed(cloud))

    assert shell.events.waiting == []


def test_a_terminal_has_no_replay(cloud: Cloud) -> None:
    """IPython without a kernel draws no widget, and is left alone."""
    before = list(InteractiveShell.instance().events.callbacks["post_run_cell"])
    replay.after_the_cell(failed(cloud))

    assert InteractiveShell.instance().events.callbacks["post_run_cell"] == before


def test_checks_need_no_view() -> None:
    """Without IPython and the widgets, a failing check is told all the same: in the preview's live cells, say."""
    code = (
        "import sys\n"
        "for name in ('IPython', 'anywidget', 'ipywidgets', 'bentocola.views.stepper'):\n"
        "    sys.modules[name] = None\n"
        "import bentocola, bentocola.checks.frame as frame\n"
        "from bentocola.checks.finding import Finding\n"
        "cloud = bentocola.start('es')\n"
        "trace = cloud.trace.data('t', 'counterexample')\n"
        "frame._explore = lambda *given, **more: Finding('story', 1, 1, observed='x', trace=trace)\n"
        "with frame.check(cloud, 'f', 2) as test:\n"
        "    test.survives(print, 'repeat')\n"
        "import json\n"
        "print(json.dumps([repr(test.result), test.result.kind]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert json.loads(done.stdout.splitlines()[-1]) == ["0", "story"]


IN_A_NOTEBOOK = """
import bentocola, bentocola.checks.frame as frame
from bentocola.checks.finding import Finding
cloud = bentocola.start("es")
trace = cloud.trace.data("t", "counterexample")
frame._explore = lambda *given, **more: Finding("story", 1, 1, observed="x", story=("One.",), trace=trace)
"""
A_TEST = 'with frame.check(cloud, "f", 2) as test:\n    test.survives(print, "repeat")\ntest.result'


def test_a_notebook_has_the_number_the_report_and_the_replay() -> None:
    """In a real kernel the result stays the cell's value, so that nbgrader reads its points; the replay comes after it."""
    book = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(text) for text in (IN_A_NOTEBOOK, A_TEST)])
    NotebookClient(book, kernel_name="python3", timeout=60).execute()
    cell = book.cells[1]
    cell.metadata["nbgrader"] = {"grade": True, "solution": False, "points": 2, "schema_version": 3}
    result, picture = cell.outputs

    assert (result.output_type, result.data["text/plain"]) == ("execute_result", "0")
    assert "<ol" in result.data["text/html"]
    assert "application/vnd.jupyter.widget-view+json" in picture.data
    assert determine_grade(cell) == (0, 2)
