"""The student's copies: what is handed out, what is brought up to date, and that nobody's work is ever overwritten."""

from __future__ import annotations

import contextlib
import json
import os
from pathlib import Path

import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook

from tools import student_copies

LESSON = "es/01-a-lesson.ipynb"
BESIDE = "es/01-a-lesson (2).ipynb"
GRADED = "assignments/01-squares/01-squares.ipynb"
SOLUTION = """\
def square(number):
    ### BEGIN SOLUTION
    return number * number
    ### END SOLUTION
"""
TEST = """\
assert square(2) == 4
### BEGIN HIDDEN TESTS
assert square(-3) == 9
### END HIDDEN TESTS
"""
TASK = """\
Explain.
=== BEGIN MARK SCHEME ===
One point a reason.
=== END MARK SCHEME ===
"""


def grading(name: str, **flags: object) -> dict[str, object]:
    """Return nbgrader's metadata of a cell."""
    plain = {"grade": False, "locked": False, "solution": False, "task": False, "schema_version": 3}
    return {"nbgrader": {**plain, "grade_id": name, **flags}}


def write_source(home: Path, *, solution: str = SOLUTION, test: str = TEST) -> None:
    """Write the source of an assignment, with an image beside it, into the nbgrader course in `home`."""
    graded = {"grade": True, "points": 1}
    cells = [
        new_code_cell(solution, id="square", metadata=grading("square", solution=True)),
        new_code_cell(test, id="square-test", metadata=grading("square-test", locked=True, **graded)),
        new_markdown_cell(TASK, id="why", metadata=grading("why", task=True, locked=True, points=1)),
    ]
    source = home / "source" / "01-squares"
    source.mkdir(parents=True, exist_ok=True)
    nbformat.write(new_notebook(cells=cells), source / "01-squares.ipynb")
    (source / "square.png").write_bytes(b"an image")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A repository with a start page and one lesson, and nothing handed out yet."""
    for language in student_copies.LANGUAGES:
        (tmp_path / "lessons" / language).mkdir(parents=True)
    (tmp_path / "lessons" / "start.md").write_text("Start")
    (tmp_path / "lessons" / LESSON).write_text("first version")
    return tmp_path


@pytest.fixture
def graded_root(root: Path) -> Path:
    """The same repository with an assignment in each language, and a stub in each language."""
    for language, stub in {"es": "# Escribe aquí", "ja": "# ここに書きましょう"}.items():
        home = root / "assignments" / language
        write_source(home)
        (home / "nbgrader_config.py").write_text(
            f"c = get_config()\nc.ClearSolutions.code_stub = {{'python': {stub!r}}}\n", encoding="utf-8"
        )
    return root


def make(root: Path) -> list[str]:
    """Make the copies, and return what the student is told."""
    return list(student_copies.make(root))


def handed_out(root: Path) -> dict[str, str]:
    """Return each file in the student's folder, hidden ones left out, with its text."""
    course = root / "course"
    paths = (path for path in course.rglob("*") if path.is_file() and not path.name.startswith("."))
    return {path.relative_to(course).as_posix(): path.read_text(encoding="utf-8") for path in paths}


def new_version(root: Path) -> None:
    """Publish a second version of the lesson."""
    (root / "lessons" / LESSON).write_text("second version")


def work(root: Path, text: str = "my work", path: str = LESSON) -> None:
    """Do a student's work: change a file of theirs."""
    (root / "course" / path).write_text(text)


def test_the_first_run_hands_everything_out(root: Path) -> None:
    """A student finds the start page and the lessons, and is told nothing."""
    assert make(root) == []
    assert handed_out(root) == {"start.md": "Start", LESSON: "first version"}


def test_hidden_and_compiled_files_are_not_handed_out(root: Path) -> None:
    """What Jupyter and Python leave beside a lesson stays where it is."""
    for name in (".ipynb_checkpoints/01-a-lesson-checkpoint.ipynb", "__pycache__/helper.pyc", ".hidden"):
        (root / "lessons" / "es" / name).parent.mkdir(exist_ok=True)
        (root / "lessons" / "es" / name).write_text("left over")
    make(root)

    assert set(handed_out(root)) == {"start.md", LESSON}


def test_an_untouched_copy_is_brought_up_to_date(root: Path) -> None:
    """A newer lesson replaces a copy that nobody changed, and one line in each language says so."""
    make(root)
    new_version(root)
    told = make(root)

    assert told == [line.format(path=LESSON) for line in student_copies.UPDATED]
    assert handed_out(root)[LESSON] == "second version"
    assert make(root) == []


def test_work_is_kept_when_nothing_is_new(root: Path) -> None:
    """A changed copy stays as it is, run after run."""
    make(root)
    work(root)

    assert make(root) == []
    assert handed_out(root) == {"start.md": "Start", LESSON: "my work"}


def test_a_new_version_goes_beside_work(root: Path) -> None:
    """When both have changed, the work stays, the new version gets a name of its own, and it is said once."""
    make(root)
    work(root)
    new_version(root)
    told = make(root)

    assert told == [line.format(path=LESSON, beside="01-a-lesson (2).ipynb") for line in student_copies.SET_BESIDE]
    assert handed_out(root) == {"start.md": "Start", LESSON: "my work", BESIDE: "second version"}
    assert make(root) == []


def test_a_version_beside_work_is_brought_up_to_date(root: Path) -> None:
    """A third version replaces the second one beside the work, as nobody has changed that."""
    make(root)
    work(root)
    new_version(root)
    make(root)
    (root / "lessons" / LESSON).write_text("third version")
    make(root)

    assert handed_out(root) == {"start.md": "Start", LESSON: "my work", BESIDE: "third version"}


def test_work_beside_work_is_kept_too(root: Path) -> None:
    """When the copy beside the work has been changed as well, the next version gets the next number."""
    make(root)
    work(root)
    new_version(root)
    make(root)
    work(root, "more work", BESIDE)
    (root / "lessons" / LESSON).write_text("third version")
    make(root)

    assert handed_out(root) == {
        "start.md": "Start",
        LESSON: "my work",
        BESIDE: "more work",
        "es/01-a-lesson (3).ipynb": "third version",
    }


def test_a_deleted_copy_is_handed_out_again(root: Path) -> None:
    """A student who wants a fresh copy deletes or renames theirs."""
    make(root)
    work(root)
    (root / "course" / LESSON).rename(root / "course" / "es" / "mine.ipynb")

    assert make(root) == []
    assert handed_out(root) == {"start.md": "Start", LESSON: "first version", "es/mine.ipynb": "my work"}


def test_a_student_s_own_file_is_never_overwritten(root: Path) -> None:
    """A file that was there before anything was handed out is somebody's, whatever its name."""
    (root / "course" / "es").mkdir(parents=True)
    work(root)
    make(root)

    assert handed_out(root) == {"start.md": "Start", LESSON: "my work", BESIDE: "first version"}


def test_a_lab_s_folder_stays_the_students(root: Path) -> None:
    """What a lab puts beside its notebook is never handed out, so a run leaves the student's code there as it is."""
    make(root)
    code = root / "course" / "es" / "idempotent-consumer" / "app.py"
    code.parent.mkdir()
    code.write_text("my handler")
    new_version(root)
    make(root)

    assert code.read_text() == "my handler"
    assert [path.name for path in code.parent.iterdir()] == ["app.py"]


@pytest.mark.parametrize("left", [None, "", "{"])
def test_work_is_kept_when_the_memory_is_lost(root: Path, left: str | None) -> None:
    """Without its memory, or with a broken one, the tool takes every file that differs for somebody's work."""
    make(root)
    work(root)
    memory = root / "course" / student_copies.MEMORY
    memory.unlink()
    if left is not None:
        memory.write_text(left)
    make(root)

    assert handed_out(root) == {"start.md": "Start", LESSON: "my work", BESIDE: "first version"}


@pytest.mark.parametrize("moment", range(6))
def test_an_interruption_leaves_whole_files(root: Path, monkeypatch: pytest.MonkeyPatch, moment: int) -> None:
    """Stopped before any of its renames, a run leaves old or new files, never a part; the next run finishes the job."""
    make(root)
    work(root, path="start.md")
    (root / "lessons" / "start.md").write_text("Start again")
    new_version(root)
    before = handed_out(root)
    renames = 0
    rename = os.replace

    def interrupted(source: Path, target: Path) -> None:
        nonlocal renames
        if renames == moment:
            raise KeyboardInterrupt
        renames += 1
        rename(source, target)

    with monkeypatch.context() as patch:
        patch.setattr(os, "replace", interrupted)
        with pytest.raises(KeyboardInterrupt) if moment < 4 else contextlib.nullcontext():
            make(root)
    after = {"start.md": "my work", "start (2).md": "Start again", LESSON: "second version"}
    found = handed_out(root)

    assert all(text in {before.get(path), after.get(path)} for path, text in found.items())
    assert list(root.rglob("*.part")) == []
    make(root)
    assert handed_out(root) == after


def test_a_folder_that_cannot_be_written_is_named(
    root: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """When the disk refuses, the student reads why, in both languages, and no traceback."""
    (root / "course").write_text("a file where the folder should be")
    monkeypatch.setattr(student_copies, "ROOT", root)

    assert student_copies.main() == 1
    told = capsys.readouterr().err.splitlines()
    assert (len(told), "course" in told[0], "course" in told[1]) == (2, True, True)


@pytest.mark.slow
def test_an_assignment_is_released_without_what_is_the_teachers(graded_root: Path) -> None:
    """A student gets the visible part, with a stub in their language, and the files beside it; no gradebook is made."""
    make(graded_root)
    course = graded_root / "course"
    cells = {
        language: [cell.source.strip() for cell in nbformat.read(course / language / GRADED, as_version=4).cells]
        for language in student_copies.LANGUAGES
    }

    assert cells == {
        "es": ["def square(number):\n    # Escribe aquí", "assert square(2) == 4", "Explain."],
        "ja": ["def square(number):\n    # ここに書きましょう", "assert square(2) == 4", "Explain."],
    }
    assert (course / "es" / GRADED).with_name("square.png").read_bytes() == b"an image"
    assert sorted(path.name for path in (graded_root / "assignments" / "es").iterdir()) == [
        "nbgrader_config.py",
        "source",
    ]


@pytest.mark.slow
def test_a_change_that_students_do_not_see_leaves_their_copies(
    graded_root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A new hidden test or solution reaches no student, so it is no new version; nor is it released a second time."""
    make(graded_root)
    work(graded_root, path=f"es/{GRADED}")
    write_source(
        graded_root / "assignments" / "es",
        solution=SOLUTION.replace("number * number", "number**2"),
        test=TEST.replace("-3", "-5").replace("9", "25"),
    )
    before = handed_out(graded_root)

    assert make(graded_root) == []
    assert handed_out(graded_root) == before

    monkeypatch.setattr(student_copies, "release", lambda home, temporary: pytest.fail(f"{home} was released again"))
    assert make(graded_root) == []


@pytest.mark.slow
def test_a_new_version_of_an_assignment_goes_beside_work(graded_root: Path) -> None:
    """An assignment is treated as a lesson is, and the copy that nbgrader collects keeps its name."""
    make(graded_root)
    work(graded_root, path=f"es/{GRADED}")
    write_source(graded_root / "assignments" / "es", test=TEST.replace("square(2) == 4", "square(3) == 9"))
    make(graded_root)
    handed = handed_out(graded_root)

    assert handed[f"es/{GRADED}"] == "my work"
    assert "square(3) == 9" in handed[f"es/{GRADED.replace('.ipynb', ' (2).ipynb')}"]


@pytest.mark.slow
def test_an_assignment_that_nbgrader_refuses_is_not_handed_out(graded_root: Path) -> None:
    """When the source is faulty, nobody gets a copy of it, and the error holds nbgrader's reason."""
    write_source(graded_root / "assignments" / "es", solution=SOLUTION.replace("    ### END SOLUTION\n", ""))

    with pytest.raises(student_copies.ReleaseError, match="no end solution|No end solution"):
        make(graded_root)
    assert not (graded_root / "course" / "es" / "assignments").exists()


def test_the_memory_is_hidden_and_names_no_place(root: Path) -> None:
    """JupyterLab does not show the memory to a student, and it can move with the folder."""
    make(root)
    memory = json.loads((root / "course" / student_copies.MEMORY).read_text(encoding="utf-8"))

    assert student_copies.MEMORY.startswith(".")
    assert set(memory["given"]) == {"start.md", LESSON}
