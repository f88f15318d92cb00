"""From a folder that a student handed in to the record and the graded notebook, through every process that takes part."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import nbformat
import pytest
from nbformat import NotebookNode

from autograder.leashed import can_fork
from autograder.nursery import Nursery
from autograder.pool import Finished, Pool
from autograder.records import Job, Record
from tests.autograder.classroom import EXPECTED, Classroom

pytestmark = pytest.mark.skipif(not can_fork(), reason="There is no fork here.")

ORDINARY = [student for student in EXPECTED if student.startswith("s")]
HOSTILE = [student for student in EXPECTED if student.startswith("h")]
HONEST = EXPECTED | {
    # Before it defines its answer, the cell reads a row of the gradebook; where there is no gradebook, it raises.
    "h24_reads_gradebook": 5
}
Grade = Callable[[Job], Record]


@pytest.fixture(scope="module")
def nursery() -> Iterator[Nursery]:
    """Yield a nursery."""
    with Nursery() as nursery:
        yield nursery


@pytest.fixture
def room(tmp_path: Path) -> Classroom:
    """Return where jobs are made."""
    return Classroom(tmp_path)


@pytest.fixture
def grade(nursery: Nursery) -> Grade:
    """Return what grades one job."""

    def run(job: Job) -> Record:
        [finished] = Pool(1, nursery).run([job])
        return only(finished)

    return run


def only(finished: Finished) -> Record:
    """Return the record of a job with one notebook."""
    assert finished.crash is None
    [record] = finished.records
    return record


def graded(job: Job) -> NotebookNode:
    """Return the notebook that was written, which is a valid one."""
    notebook = nbformat.read(job.out / "pipeline.ipynb", as_version=4)
    nbformat.validate(notebook)
    return notebook


def cell(job: Job, grade_id: str) -> NotebookNode:
    """Return a cell of the notebook that was written."""
    return next(cell for cell in graded(job).cells if cell.metadata.get("nbgrader", {}).get("grade_id") == grade_id)


def text(cell: NotebookNode) -> str:
    """Return all that a cell put out."""
    return json.dumps(cell.outputs, ensure_ascii=False)


def points(record: Record) -> dict[str, float | None]:
    """Return what was earned, by cell."""
    return {check.cell: check.earned for check in record.checks}


def causes(record: Record) -> dict[str, str | None]:
    """Return why points are missing, by cell."""
    return {check.cell: check.cause for check in record.checks}


def hits(record: Record) -> list[tuple[str, str]]:
    """Return the cells that met a limit, and the cause."""
    return [(hit.cell, hit.cause) for hit in record.limits]


ANSWER = "def event_to_messages(event):\n    "
"""The first answer; its test comes right after it, and two others need nothing of it."""


# Honest ones


@pytest.mark.parametrize("student", ["s00", "s09", "s14", "s17"])
def test_an_ordinary_submission_gets_its_points(room: Classroom, grade: Grade, student: str) -> None:
    """What stock nbgrader gives it."""
    assert grade(room.bench(student)).earned == EXPECTED[student]


@pytest.mark.slow
def test_a_class_gets_its_points(room: Classroom, nursery: Nursery) -> None:
    """Each of twenty, two at a time."""
    ended = Pool(2, nursery).run(room.bench(student) for student in ORDINARY)

    assert {one.job.student: only(one).earned for one in ended} == {student: EXPECTED[student] for student in ORDINARY}


@pytest.mark.slow
def test_a_hostile_class_gets_its_points(room: Classroom, nursery: Nursery) -> None:
    """What each of them earned honestly, however it was handed in."""
    ended = Pool(2, nursery).run(room.bench(student, cell_seconds=5) for student in HOSTILE)

    assert {one.job.student: only(one).earned for one in ended} == {student: HONEST[student] for student in HOSTILE}


def test_the_graded_notebook_is_whole(room: Classroom, grade: Grade) -> None:
    """Source and metadata as nbgrader's tools expect them, cells numbered as they ran, the last value of a test as its output."""
    job = room.bench("s00")
    grade(job)

    code = [cell for cell in graded(job).cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert "HIDDEN TESTS" in cell(job, "test1").source
    assert cell(job, "test1").metadata.nbgrader.points == 2
    [result] = cell(job, "test2").outputs
    assert (result.data["text/plain"], result.execution_count) == ("3.0", cell(job, "test2").execution_count)


def test_two_runs_differ_in_nothing(room: Classroom, grade: Grade) -> None:
    """But in when they ran, and for how long."""
    first, second = grade(room.bench("s14")).as_json(), grade(room.bench("s14")).as_json()

    assert first.pop("ran").keys() == second.pop("ran").keys()
    assert first == second


def test_two_runs_write_the_same_notebook(room: Classroom, grade: Grade) -> None:
    """Names of queues, ids of messages and tracebacks included."""
    job = room.bench("s14")
    grade(job)
    first = (job.out / "pipeline.ipynb").read_bytes()
    grade(room.bench("s14"))

    assert (job.out / "pipeline.ipynb").read_bytes() == first


def test_nothing_else_is_written(room: Classroom, grade: Grade) -> None:
    """The notebook and the record, no part of a file, and nothing beside the submission."""
    job = room.bench("s00")
    before = sorted(job.submitted.iterdir())
    grade(job)

    assert sorted(path.name for path in job.out.iterdir()) == ["pipeline.ipynb", "pipeline.json"]
    assert sorted(job.submitted.iterdir()) == before


# What stops


@pytest.mark.slow
def test_an_endless_cell_is_interrupted(room: Classroom, grade: Grade) -> None:
    """It costs what depends on it, and no more: the process lives on."""
    job = room.changed("loop", {"sol1": "while True:\n    pass"}, cell_seconds=1)
    record = grade(job)

    assert points(record) == {"test1": 0, "test2": 3, "test3": 5}
    assert hits(record) == [("sol1", "time")]
    assert record.limits[0].detail == {"seconds": "1"}
    assert "KeyboardInterrupt" in text(cell(job, "sol1"))


@pytest.mark.slow
def test_an_endless_answer_fails_its_test_only(room: Classroom, grade: Grade) -> None:
    """The test is stopped by name; those after it are run."""
    record = grade(room.changed("loop", {"sol1": ANSWER + "while True: pass"}, cell_seconds=1))

    assert points(record) == {"test1": 0, "test2": 3, "test3": 5}
    assert causes(record) == {"test1": "time", "test2": None, "test3": None}


DEAF = """while True:
        try:
            for n in range(10**9): n + 1
        except BaseException: pass"""


@pytest.mark.slow
def test_an_answer_that_will_not_stop_is_ended(room: Classroom, grade: Grade) -> None:
    """What was earned before stays; what comes after needs a process that is no more."""
    cells = {"sol2": "def send(messages):\n    " + DEAF}
    record = grade(room.changed("deaf", cells, cell_seconds=1, grace_seconds=0.5))

    assert points(record) == {"test1": 2, "test2": 0, "test3": 0}
    assert causes(record) == {"test1": None, "test2": "time", "test3": "gone"}
    assert ("test2", "time") in hits(record)


@pytest.mark.slow
def test_a_submission_s_time_is_over_for_all_of_it(room: Classroom, grade: Grade) -> None:
    """Cells that would still have come do not run, and say so."""
    job = room.changed("slow", {"sol2": "while True:\n    pass"}, cell_seconds=30, submission_seconds=2)
    record = grade(job)

    assert points(record) == {"test1": 2, "test2": 0, "test3": 0}
    assert causes(record) == {"test1": None, "test2": "time", "test3": "time"}
    assert [hit.detail for hit in record.limits] == [{}]


@pytest.mark.parametrize(
    ("code", "cause", "detail"),
    [
        ("import os; os._exit(3)", "exit", {"status": "3"}),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "signal", {"signal": "SIGKILL"}),
        ("import ctypes; ctypes.string_at(0)", "signal", {"signal": "SIGSEGV"}),
    ],
)
def test_a_cell_that_ends_its_process(
    room: Classroom, grade: Grade, code: str, cause: str, detail: dict[str, str]
) -> None:
    """It is named, with how it ended; earlier points stay, and the notebook says why the rest did not run."""
    job = room.changed("end", {"sol2": code})
    record = grade(job)

    assert points(record) == {"test1": 2, "test2": 0, "test3": 0}
    assert causes(record) == {"test1": None, "test2": "gone", "test3": "gone"}
    [hit] = record.limits
    assert (hit.cell, hit.cause, hit.detail) == ("sol2", cause, detail)
    assert cell(job, "sol2").outputs[-1].ename == cause
    assert cell(job, "sol3").outputs[-1].ename == "gone"


def test_an_answer_that_ends_its_process(room: Classroom, grade: Grade) -> None:
    """The test during which that happens bears the cause, those after it that there was nobody left."""
    record = grade(room.changed("end", {"sol2": "def send(messages):\n    import os; os._exit(0)"}))

    assert causes(record) == {"test1": None, "test2": "exit", "test3": "gone"}


GARBAGE = """
import os
for handle in range(3, 64):
    try: os.write(handle, b"x" * 100)
    except OSError: pass
"""


def test_nonsense_in_the_pipes_is_named(room: Classroom, grade: Grade) -> None:
    """A student's code finds its pipes; what it writes there is no frame, and it is not listened to any more."""
    record = grade(room.changed("garbage", {"sol2": GARBAGE}))

    assert points(record) == {"test1": 2, "test2": 0, "test3": 0}
    assert hits(record) == [("sol2", "protocol")]
    assert causes(record) == {"test1": None, "test2": "gone", "test3": "gone"}


def test_an_exit_that_python_knows_ends_nothing(room: Classroom, grade: Grade) -> None:
    """`sys.exit` in a cell is an error of that cell, as in Jupyter."""
    record = grade(room.changed("exit", {"sol2": "import sys; sys.exit(1)"}))

    assert points(record) == {"test1": 2, "test2": 0, "test3": 5}
    assert record.limits == ()


def test_more_memory_than_allowed_is_named(room: Classroom, grade: Grade) -> None:
    """An ordinary error of Python's, and a limit that the teacher sees."""
    record = grade(room.changed("memory", {"sol2": "x = bytearray(3 << 30)"}))

    assert points(record) == {"test1": 2, "test2": 0, "test3": 5}
    assert hits(record) == [("sol2", "memory")]


KILL = """
import os, signal
for pid in (os.getppid(), 1, -1):
    try: os.kill(pid, signal.SIGKILL)
    except OSError as error: print(error)
"""


def test_killing_everybody_hurts_nobody_else(room: Classroom, nursery: Nursery) -> None:
    """A student's code that signals all that it can see ends itself at most; the others have their points."""
    jobs = [room.changed("killer", {"sol2": KILL}), room.bench("s00"), room.bench("s08")]
    ended = {one.job.student: only(one) for one in Pool(2, nursery).run(jobs)}

    assert points(ended["killer"])["test1"] == 2
    assert ended["s00"].earned == EXPECTED["s00"]
    assert ended["s08"].earned == EXPECTED["s08"]


@pytest.mark.slow
def test_a_flood_of_output_is_cut_and_costs_nothing(room: Classroom, grade: Grade) -> None:
    """The file stays small, and says in the course's language what is missing."""
    job = room.changed(
        "flood", {}, ["print('x' * 99 + '\\n' * 1 * 1, end='')\nfor n in range(300_000): print('x' * 99)"]
    )
    record = grade(job)

    assert record.earned == 10
    assert [hit.cause for hit in record.limits] == ["output"]
    assert (job.out / "pipeline.ipynb").stat().st_size < 300_000
    assert graded(job).cells[-1].outputs[-1].text.startswith("[")


# What was not handed in


def test_a_submission_without_the_notebook_is_refused(room: Classroom, grade: Grade) -> None:
    """By name, with a notebook for nbgrader's tools to show, and with none of the points."""
    job = room.changed("empty", {})
    (job.submitted / "pipeline.ipynb").unlink()
    record = grade(job)

    assert record.state == "refused"
    assert record.refusal is not None
    assert record.refusal.code == "no-notebook"
    assert causes(record) == {"test1": "missing", "test2": "missing", "test3": "missing"}
    assert record.earned == 0
    assert cell(job, "sol1").outputs == []
    assert "unquote_plus" not in json.dumps(graded(job))


# What a student's code can see

# It looks backwards, for what it looks for is in its own memory too.
LOOK = """
import os, sys
backwards = b"-OTERCES"
seen = 0
try:
    memory = open("/proc/self/mem", "rb", buffering=0)
    for line in open("/proc/self/maps"):
        first, last = (int(n, 16) for n in line.split()[0].split("-"))
        if "r" not in line.split()[1] or "[v" in line: continue
        try:
            memory.seek(first)
            seen += memory.read(last - first)[::-1].count(backwards)
        except (OSError, ValueError, OverflowError): pass
    print("looked")
except OSError as error:
    print("looked", error)
print("seen", seen)
print("handles", sorted(os.listdir("/proc/self/fd"), key=int))
print("environ", sorted(os.environ))
print("argv", sys.argv)
"""


def test_no_hidden_test_is_in_the_memory_of_a_student_s_process(room: Classroom, grade: Grade) -> None:
    """All of it is searched, before and after the tests have run."""
    job = room.changed("reader", {"sol1": LOOK}, [LOOK])
    grade(job)

    for output in (text(cell(job, "sol1")), text(graded(job).cells[-1])):
        assert "looked" in output
        assert "seen 0" in output
        assert str(job.source) not in output
        assert "PYTHONPATH" not in output
        # A kernel's arguments, none of ours.
        assert "argv ['" in output
        assert "ipykernel_launcher.py', '-f'" in output


def test_the_search_of_memory_finds_what_is_there(room: Classroom, grade: Grade) -> None:
    """A word that the student's own cell holds is found: the test above can fail."""
    job = room.changed("reader", {"sol1": "# SECRETO-0" + LOOK})
    grade(job)

    assert "looked" in text(cell(job, "sol1"))
    assert "seen 0" not in text(cell(job, "sol1"))


def test_files_beside_the_notebook_are_there(room: Classroom, grade: Grade) -> None:
    """A student's code finds the files that were handed in with it."""
    job = room.changed("files", {}, ["print(open('data/one.csv').read())"])
    (job.submitted / "data").mkdir()
    (job.submitted / "data" / "one.csv").write_text("a,b", encoding="utf-8")
    grade(job)

    assert "a,b" in text(graded(job).cells[-1])
