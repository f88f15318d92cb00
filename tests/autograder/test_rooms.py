"""The two rooms, without a jail: cells in the candidate, tests in the examiner that call a student's functions."""

from __future__ import annotations

import dataclasses
import multiprocessing
import os
import sys
import threading
from collections.abc import Iterator
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from autograder.candidate import _Candidate
from autograder.examiner import _Examiner
from autograder.leashed import close_all_but
from autograder.peer import Peer, PeerError, PeerGone
from autograder.records import Limits
from autograder.sheet import PaperCell, PaperNotebook, Place
from bentocola.checks.finding import Finding

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="The rooms of these tests are forked.")

LIMITS = Limits(cell_seconds=20, output_lines=200)


def _candidate(control: Connection, exam: Connection) -> None:
    close_all_but({control.fileno(), exam.fileno()})
    try:
        _Candidate(control, exam, LIMITS).serve()
    finally:
        os._exit(0)


def _examiner(control: Connection, exam: Connection) -> None:
    close_all_but({control.fileno(), exam.fileno()})
    try:
        _Examiner(control, exam, LIMITS).serve()
    finally:
        os._exit(0)


class Rooms:
    """A candidate and an examiner, asked as the invigilator asks them."""

    def __init__(self) -> None:
        fork: Any = multiprocessing.get_context("fork")
        pipes = [fork.Pipe(duplex=True) for _ in range(3)]
        (here_c, there_c), (here_e, there_e), (exam_c, exam_e) = pipes
        self.processes = [
            fork.Process(target=_candidate, args=(there_c, exam_c)),
            fork.Process(target=_examiner, args=(there_e, exam_e)),
        ]
        for process in self.processes:
            process.start()
        for end in (there_c, there_e, exam_c, exam_e):
            end.close()
        self.candidate = Peer(here_c, limits=LIMITS, name="candidate")
        self.examiner = Peer(here_e, limits=LIMITS, name="examiner")
        self.messages: list[dict[str, Any]] = []
        for peer in (self.candidate, self.examiner):
            peer.handle("output", lambda head, body: self.messages.append(head))
        self.sheet = PaperNotebook("nb", ())
        self.count = 0
        # A room that hangs fails its test, and not the whole run.
        self.bell = threading.Timer(30, self.kill)
        self.bell.start()

    def kill(self) -> None:
        for process in self.processes:
            process.kill()

    def close(self) -> None:
        self.bell.cancel()
        for process in self.processes:
            process.kill()
            process.join()

    def open(
        self, *cells: tuple[str, str], hidden: dict[str, tuple[tuple[int, int], ...]] | None = None, **more: Any
    ) -> None:
        """Hand the examiner a sheet of (id, source text): ids begin with their role."""
        known = tuple(
            PaperCell(
                grade_id=name,
                cell_type="code",
                role=name.split("-")[0],  # type: ignore[arg-type]
                text=text,
                points=2.0,
                hidden=(hidden or {}).get(name, ()),
                together="together" in name,
            )
            for name, text in cells
        )
        layout = tuple(Place("", "code", cell.text, cell.grade_id) for cell in known)
        self.sheet = PaperNotebook("nb", known, layout=layout, **more)
        self.examiner.call("open", {"notebook": dataclasses.asdict(self.sheet), "language": "es"})

    def cell(self, name: str, source: str | None = None) -> dict[str, Any]:
        """Run a cell of the sheet where it belongs (a locked one in both rooms), or a student's own text for it."""
        known = self.sheet.cell(name)
        role = known.role if known else "answer"
        text = source if source is not None else known.text if known else ""
        self.count += 1
        head = {"id": name, "index": self.count, "source": text, "kind": role, "count": self.count}
        self.messages.clear()
        if role == "locked":
            self.examiner.call("cell", head)
            self.messages.clear()
        if role == "test" and known:
            head |= {"points": known.points}
            if not known.together:
                return self.examiner.call("cell", {**head, "hidden": known.hidden})[0]  # type: ignore[no-any-return]
            head["kind"] = "together"
        return self.candidate.call("cell", head)[0]  # type: ignore[no-any-return]

    @property
    def out(self) -> str:
        return "".join(one["content"]["text"] for one in self.messages if one["msg_type"] == "stream")


@pytest.fixture
def rooms() -> Iterator[Rooms]:
    made = Rooms()
    yield made
    made.close()


def graded(rooms: Rooms, answer: str, test: str, *before: tuple[str, str], **more: Any) -> dict[str, Any]:
    """Run an answer cell and its test, after other cells; return the test's outcome."""
    rooms.open(*before, ("answer-f", "def f(*given): ..."), ("test-f", test), **more)
    for name, _ in before:
        rooms.cell(name)
    rooms.cell("answer-f", answer)
    return rooms.cell("test-f")


def test_a_test_in_the_examiner_calls_a_students_function(rooms: Rooms) -> None:
    outcome = graded(rooms, "def f(n): return n + base", "assert f(1) == 11", ("locked-setup", "base = 10"))
    assert (outcome["status"], outcome["earned"], outcome["cause"]) == ("ok", 2.0, None)


def test_a_wrong_answer_earns_nothing_and_is_told_with_the_line(rooms: Rooms) -> None:
    outcome = graded(rooms, "def f(n): return n", "assert f(1) == 11, 'add ten'")
    assert (outcome["status"], outcome["earned"], outcome["ename"]) == ("error", 0.0, "AssertionError")
    (said,) = outcome["said"]
    assert (said["kind"], said["texts"], said["line"]) == ("assertion", {"": "add ten"}, "assert f(1) == 11, 'add ten'")


def test_an_exception_of_the_students_shows_the_students_line_in_the_traceback(rooms: Rooms) -> None:
    outcome = graded(rooms, "def f(n):\n    x = {}\n    return x[n]", "f(1)")
    assert outcome["ename"] == "KeyError"
    shown = "".join(outcome["traceback"])
    assert "Cell" in shown
    assert "x[n]" in shown
    (said,) = outcome["said"]
    assert (said["kind"], said["texts"], said["line"]) == ("raised", {"": "KeyError: 1"}, "return x[n]")


def test_of_a_hidden_line_only_the_kind_of_exception_and_the_students_line_are_told(rooms: Rooms) -> None:
    test = "assert f(1) is None\n### BEGIN HIDDEN TESTS\nf('secret value')\n### END HIDDEN TESTS"
    answer = "def f(n):\n    if n != 1:\n        raise ValueError(n)"
    outcome = graded(rooms, answer, test, hidden={"test-f": ((2, 4),)})
    assert "secret value" in outcome["evalue"]
    (said,) = outcome["said"]
    assert (said["kind"], said["texts"], said["line"]) == ("hidden", {"": "ValueError"}, "raise ValueError(n)")
    assert said["number"] == 3


FRAME = (
    "from functools import partial\nfrom bentocola.checks import check\nfrom bentocola.messages import translate\n"
    "class cloud: say, edition = staticmethod(partial(translate, 'es')), 'es'"
)


def test_an_error_in_a_helper_of_the_tests_is_not_told_at_the_helpers_line(rooms: Rooms) -> None:
    test = "def helper(body):\n    return {}[body]\n\nwith check(cloud, 'f', 2) as test:\n    f(helper)\ntest.result"
    outcome = graded(rooms, "def f(work):\n    return work('a')", test, ("locked-setup", FRAME))
    assert "KeyError" in outcome["evalue"]
    assert "[body]" not in outcome["evalue"]


def test_an_error_of_the_students_is_told_at_the_students_line_by_the_frame(rooms: Rooms) -> None:
    test = "with check(cloud, 'f', 2) as test:\n    f({})\ntest.result"
    outcome = graded(rooms, "def f(x):\n    return x['a']", test, ("locked-setup", FRAME))
    assert outcome["evalue"].endswith("2: return x['a']")
    assert (outcome["status"], outcome["earned"], outcome["cause"], outcome["ename"]) == ("error", 0.0, "error", "Fell")
    assert [one["kind"] for one in outcome["said"]] == ["course"]
    shown = [one["content"]["data"] for one in rooms.messages if one["msg_type"] == "execute_result"]
    assert [data["text/plain"] for data in shown] == ["0"]


def test_a_result_that_passes_gives_its_points(rooms: Rooms) -> None:
    test = "with check(cloud, 'f', 2) as test:\n    test.equal(f(1), 2)\ntest.result"
    outcome = graded(rooms, "def f(n): return n + 1", test, ("locked-setup", FRAME))
    assert (outcome["status"], outcome["earned"], outcome["cause"], outcome["said"]) == ("ok", 2.0, None, [])


def test_a_value_of_a_hidden_line_of_a_frame_is_told_to_nobody(rooms: Rooms) -> None:
    lines = ("with check(cloud, 'f', 2) as test:", "    test.equal(f('canary-77'), 'canary-78', 'once')", "test.result")
    outcome = graded(
        rooms, "def f(x): return x", "\n".join(lines), ("locked-setup", FRAME), hidden={"test-f": ((2, 2),)}
    )
    assert outcome["earned"] == 0.0
    assert [one["kind"] for one in outcome["said"]] == ["hidden", "course"]
    assert "canary" not in str(outcome["said"])


def test_a_student_who_is_gone_in_a_frame_is_gone(rooms: Rooms) -> None:
    test = "with check(cloud, 'f', 2) as test:\n    test.equal(f(), 1)\ntest.result"
    outcome = graded(rooms, "def f():\n    import os\n    os._exit(0)", test, ("locked-setup", FRAME))
    assert (outcome["earned"], outcome["cause"]) == (0.0, "gone")


def test_a_story_under_a_hidden_line_is_told_with_its_seed(monkeypatch: pytest.MonkeyPatch) -> None:
    def explore(cloud: Any, scenario: str, function: Any, *, answer: str, secret: bool) -> Finding:
        return Finding("story", 5, 77, "once", f"{scenario} {secret} {function(1)}", ("One.", "Two."))

    monkeypatch.setattr("bentocola.checks.frame._explore", explore)
    rooms = Rooms()
    try:
        lines = (
            "with check(cloud, 'f', 2) as test:",
            "    test.survives(f, 'canary-79')",
            "    test.survives(f, 'repeat', secret=True)",
            "test.result",
        )
        test = "\n".join(lines)
        outcome = graded(rooms, "def f(n): return n + 1", test, ("locked-setup", FRAME), hidden={"test-f": ((3, 3),)})
    finally:
        rooms.close()
    (told,) = outcome["said"]
    assert (outcome["earned"], outcome["seed"], outcome["cause"]) == (0.0, 77, "error")
    assert (told["kind"], told["story"]["ja"]) == ("course", ["One.", "Two."])
    assert "canary-79 False 2" in told["texts"]["es"]


def test_names_of_locked_cells_and_tests_are_the_examiners_own(rooms: Rooms) -> None:
    answer = "def f(): return 1\ndef helper(): return 'theirs'\nsum = lambda values: 'theirs'"
    test = "assert (helper(), sum([1, 2]), f()) == ('ours', 3, 1)"
    outcome = graded(rooms, answer, test, ("locked-setup", "def helper(): return 'ours'"))
    assert outcome["earned"] == 2.0, outcome["evalue"]


def test_a_stub_in_a_locked_cell_is_replaced_by_the_answer(rooms: Rooms) -> None:
    outcome = graded(
        rooms, "def f(): return 5", "assert f() == 5", ("locked-setup", "def f(): raise NotImplementedError")
    )
    assert outcome["earned"] == 2.0, outcome["evalue"]


def test_a_function_redefined_after_its_test_changes_no_verdict(rooms: Rooms) -> None:
    cells = (
        ("answer-f", "def f(): ..."),
        ("test-f", "assert f() == 1"),
        ("answer-g", "g = 1"),
        ("test-g", "assert f() == 2"),
    )
    rooms.open(*cells)
    rooms.cell("answer-f", "def f(): return 1")
    assert rooms.cell("test-f")["earned"] == 2.0
    rooms.cell("answer-g", "def f(): return 2")
    assert rooms.cell("test-g")["earned"] == 2.0


def test_a_missing_name_is_a_name_error_and_no_end(rooms: Rooms) -> None:
    outcome = graded(rooms, "pass", "f()")
    assert (outcome["ename"], outcome["evalue"]) == ("NameError", "name 'f' is not defined")


def test_what_a_students_function_prints_is_the_tests_own_output(rooms: Rooms) -> None:
    answer = "import sys\ndef f():\n    print('out')\n    print('err', file=sys.stderr)\n    display('shown')"
    graded(rooms, answer, "f()\nprint('test')")
    assert [(one["msg_type"]) for one in rooms.messages] == ["stream", "stream", "display_data", "stream"]
    assert rooms.out == "out\nerr\ntest\n"


@pytest.mark.parametrize(
    "test",
    [
        "import contextlib as c, io\nwith c.redirect_stdout(io.StringIO()) as out: f()\nassert out.getvalue() == 'hello\\n'",
        "from IPython.utils import capture\nwith capture.capture_output() as caught: f()\nassert caught.stdout == 'hello\\n'",
        "%%capture caught\nf()",
    ],
)
def test_a_test_can_catch_what_a_students_function_prints(rooms: Rooms, test: str) -> None:
    outcome = graded(rooms, "def f(): print('hello')", test)
    assert (outcome["earned"], rooms.messages) == (2.0, [])


def test_changes_of_the_environment_reach_the_students_function(rooms: Rooms) -> None:
    test = "import os\nfor name in 'ab':\n    os.environ['TABLE'] = name\n    assert f() == name"
    assert graded(rooms, "import os\ndef f(): return os.environ['TABLE']", test)["earned"] == 2.0


def test_a_locked_cells_plain_values_are_the_same_on_both_sides(rooms: Rooms) -> None:
    locked = (
        "import os, random\nname = f'queue-{random.random()}'\nnames = [name, {'n': 1}]\nos.environ['QUEUE'] = name"
    )
    answer = "import os\ndef f(): return [name, names, os.environ['QUEUE']]"
    test = "assert f() == [name, [name, {'n': 1}], name]"
    assert graded(rooms, answer, test, ("locked-setup", locked))["earned"] == 2.0


def test_a_locked_cell_shows_what_the_students_run_of_it_puts_out(rooms: Rooms) -> None:
    rooms.open(("locked-setup", "print('once')\n6 * 7"))
    rooms.cell("locked-setup")
    assert [one["msg_type"] for one in rooms.messages] == ["stream", "execute_result"]


@pytest.mark.parametrize(
    ("last", "earned", "fault"),
    [
        ("1.5", 1.5, None),
        ("0.1 + 0.2", 0.3, None),
        ("None", 2.0, None),
        ("display(0.5)", 2.0, None),
        ("1;", 2.0, None),
        ("True", None, "True (bool)"),
        ("3", None, "3.0, which is not between 0 and 2"),
        ("f", None, "an object of the class"),
        ("'full'", None, "'full' (str)"),
    ],
)
def test_a_score_is_the_value_of_the_last_expression(
    rooms: Rooms, last: str, earned: float | None, fault: str | None
) -> None:
    outcome = graded(rooms, "def f(): return 1", f"f()\n{last}")
    assert (outcome["status"], outcome["earned"]) == ("ok", earned)
    assert (outcome["fault"] or "").startswith(fault or "")
    assert (outcome["fault"] is None) is (fault is None)


def test_magics_and_await_work_in_tests(rooms: Rooms) -> None:
    test = "%time x = 1\nimport asyncio\nassert await f() == 3\nn = !echo 5\nassert n == ['5']"
    outcome = graded(rooms, "import asyncio\nasync def f():\n    await asyncio.sleep(0)\n    return 3", test)
    assert outcome["earned"] == 2.0, outcome["evalue"]


def test_coroutines_of_the_students_find_what_earlier_ones_left_in_their_loop(rooms: Rooms) -> None:
    answer = (
        "import asyncio\nasync def start():\n    global task\n    task = asyncio.create_task(asyncio.sleep(0, 7))\n"
        "async def finish(): return await task"
    )
    outcome = graded(rooms, answer, "await start()\nassert await finish() == 7")
    assert outcome["earned"] == 2.0, outcome["evalue"]


@pytest.mark.parametrize("test", ["import sys\nsys.exit()", "raise SystemExit", "f()"])
def test_an_exit_in_a_test_is_an_error_and_the_room_goes_on(rooms: Rooms, test: str) -> None:
    outcome = graded(rooms, "import sys\ndef f(): sys.exit(0)", test)
    assert (outcome["status"], outcome["earned"]) == ("error", 0.0)
    assert rooms.cell("test-f", "pass")["earned"] == 2.0


def test_deep_recursion_on_either_side_is_an_error_and_no_end(rooms: Rooms) -> None:
    outcome = graded(rooms, "def f(): return f()", "f()")
    assert (outcome["ename"], outcome["earned"]) == ("RecursionError", 0.0)
    outcome = rooms.cell("test-f", "def g(): return g()\ng()")
    assert outcome["ename"] == "RecursionError"
    assert rooms.cell("test-f", "pass")["earned"] == 2.0


def test_transformers_of_the_students_shell_have_no_say_in_tests(rooms: Rooms) -> None:
    answer = (
        "import ast\nclass Strip(ast.NodeTransformer):\n    def visit_Assert(self, node): return ast.Pass()\n"
        "get_ipython().ast_transformers.append(Strip())\nget_ipython().input_transformers_cleanup.append(lambda lines: [])"
    )
    assert graded(rooms, answer, "assert False")["earned"] == 0.0


def test_objects_equal_to_everything_pass_no_assertion(rooms: Rooms) -> None:
    answer = "class Any:\n    def __eq__(self, other): return True\ndef f(): return Any()"
    assert graded(rooms, answer, "assert f() == 5")["earned"] == 0.0


def test_a_candidate_that_ends_during_a_test_is_named(rooms: Rooms) -> None:
    outcome = graded(rooms, "import os\ndef f(): os._exit(0)", "f()")
    assert (outcome["earned"], outcome["cause"]) == (0.0, "gone")
    assert rooms.cell("test-f", "assert True")["earned"] == 2.0
    assert rooms.cell("test-f", "f()")["cause"] == "gone"


def test_a_test_that_cannot_run_apart_runs_in_the_candidate(rooms: Rooms) -> None:
    rooms.open(("answer-f", "x = 1"), ("test-together", "assert 'x' in globals()\n1.25"))
    rooms.cell("answer-f")
    assert rooms.cell("test-together")["earned"] == 1.25
    assert rooms.cell("test-together", "assert 'y' in globals()")["earned"] == 0.0
    assert rooms.cell("test-together", "False")["fault"] == "False (bool)"
    failing = "with check(cloud, 'f', 2) as test:\n    test.equal(1, 2)\ntest.result"
    outcome = rooms.cell("test-together", f"{FRAME}\n{failing}")
    assert (outcome["earned"], outcome["cause"], outcome["ename"]) == (0.0, "error", "NotYet")


def test_cells_are_numbered_as_in_the_notebook(rooms: Rooms) -> None:
    outcome = graded(rooms, "def f(): 1 / 0", "f()", ("locked-setup", "1"))
    assert outcome["execution_count"] == 3
    shown = "".join(outcome["traceback"])
    assert "In[3]" in shown
    assert "In[2]" in shown


@pytest.mark.parametrize(
    "trick",
    [
        "import builtins\nbuiltins.print = builtins.sum = None\nbuiltins.len = lambda values: 10",
        "import json, time\njson.dumps = json.loads = time.sleep = None\ntime.time = time.monotonic = lambda: 0",
        "import sys\nsys.stdout = sys.stderr = None",
        "import sys\nfor name in ('json', 'autograder.peer', 'boto3', 'IPython'): sys.modules[name] = None",
        "import gc\ngc.disable()\nfor one in gc.get_objects():\n    if type(one).__name__ == 'Shell': one.user_ns.clear()",
        "import signal\nsignal.signal(signal.SIGINT, lambda *a: None)",
        "import sys\nsys.setrecursionlimit(60)",
        "import threading, time\nthreading.Thread(target=lambda: [time.sleep(0.01) for n in range(10**6)], daemon=True).start()",
        "import os\nif not os.fork():\n    1 / 0",
        "import os\npid = os.fork()",
        "import os, sys\nsys.exit()",
        "import asyncio\nasyncio.get_running_loop().stop()",
        "import warnings\nwarnings.warn('on stderr')",
        "class Late:\n    def __del__(self): raise SystemExit\nlate = Late()\ndel late",
    ],
)
def test_what_a_cell_does_to_its_own_process_leaves_the_next_ones_their_results(rooms: Rooms, trick: str) -> None:
    rooms.open(("answer-f", "def f(): ..."), ("test-f", "assert f(2) == 3"))
    rooms.cell("trick", trick)
    rooms.cell("answer-f", "def f(n): return n + 1")
    outcome = rooms.cell("test-f")
    assert outcome["earned"] == 2.0, outcome["evalue"]


def test_closed_descriptors_end_the_candidate_and_nothing_else(rooms: Rooms) -> None:
    rooms.open(("answer-f", "def f(): ..."), ("test-f", "f()"))
    with pytest.raises(PeerGone):
        rooms.cell("answer-f", "import os\nos.closerange(0, 1000)")
    assert rooms.cell("test-f")["cause"] == "gone"


def test_an_interrupt_ends_a_cell_and_the_room_goes_on(rooms: Rooms) -> None:
    rooms.open(("answer-f", "def f(): ..."), ("test-f", "f()"))
    outcome = rooms.cell("loop", "import os, signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass")
    assert outcome["ename"] == "KeyboardInterrupt"
    rooms.cell("answer-f", "def f():\n    os.kill(os.getpid(), signal.SIGINT)\n    while True: pass")
    assert rooms.cell("test-f")["status"] == "error"
    assert rooms.candidate.call("ping", {})[0] == {}
    assert rooms.cell("more", "7")["status"] == "ok"


def test_a_flood_is_cut_in_the_candidate(rooms: Rooms) -> None:
    rooms.cell("flood", "for n in range(200_000): print(n)")
    assert rooms.out.count("\n") == LIMITS.output_lines
    assert [one["content"] for one in rooms.messages if one["msg_type"] == "limit"] == [{"what": "lines"}]


def test_files_are_put_into_the_working_folder_and_nowhere_else(rooms: Rooms, tmp_path: Path) -> None:
    rooms.cell("go", f"import os\nos.chdir({str(tmp_path)!r})")
    rooms.candidate.call("files", {"path": "data/a.csv"}, b"1,2")
    assert (tmp_path / "data" / "a.csv").read_bytes() == b"1,2"
    for path in ("/x", "../x", ""):
        with pytest.raises(PeerError, match="inside the working folder"):
            rooms.candidate.call("files", {"path": path}, b"")


def test_the_sources_modules_are_imported_beforehand_and_a_bad_one_does_no_harm(rooms: Rooms) -> None:
    rooms.open(("test-f", "import sys\nassert 'colorsys' in sys.modules"), modules=("colorsys", "no.such.module"))
    assert rooms.cell("test-f")["earned"] == 2.0
