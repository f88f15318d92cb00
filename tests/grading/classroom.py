"""A class whose submissions are the samples, graded by stock nbgrader as a teacher would: release, collect, autograde."""

from __future__ import annotations

import html
import os
import re
import shutil
import subprocess
import sys
import warnings
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import nbformat
from nbformat import NotebookNode
from nbgrader.api import Gradebook

from tests.notebooks.editions import ASSIGNMENT, assignment_source, course_folder, read
from tests.repository import ROOT
from tests.samples import Sample, points_of, reference_answers, samples, submission, turn

TEACHER = "teacher"
"""Who hands in the source notebook itself."""
WORDS_CELL = "answer-in-words"


@dataclass(frozen=True)
class Grade:
    """What the gradebook has for one cell of one submission."""

    auto: float | None
    most: float
    left_to_a_person: bool


@dataclass(frozen=True)
class Classroom:
    """A course folder after autograding."""

    language: str
    folder: Path

    @cached_property
    def grades(self) -> dict[str, dict[str, Grade]]:
        """The grades by student and cell."""
        with Gradebook(f"sqlite:///{self.folder / 'gradebook.db'}") as gradebook:
            return {
                submitted.student.id: {
                    grade.name: Grade(grade.auto_score, grade.max_score, grade.needs_manual_grade)
                    for notebook in submitted.notebooks
                    for grade in notebook.grades
                }
                for submitted in gradebook.assignment_submissions(ASSIGNMENT)
            }

    @property
    def released(self) -> NotebookNode:
        """What the students were handed."""
        return read(self.folder / "release" / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")

    def autograded(self, student: str) -> NotebookNode:
        """Return a student's notebook as nbgrader ran it."""
        return read(self.folder / "autograded" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb")

    def feedback(self, student: str) -> str:
        """Return the page that a student gets back, as its text."""
        page = self.folder / "feedback" / student / ASSIGNMENT / f"{ASSIGNMENT}.html"
        return html.unescape(re.sub(r"<[^>]+>", "", page.read_text(encoding="utf-8")))

    def automatic(self, student: str) -> dict[str, Grade]:
        """Return a student's grades without what a person gives."""
        return {cell: grade for cell, grade in self.grades[student].items() if cell != WORDS_CELL}


def results(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Return what each test cell of a graded notebook ended with. Nothing else than a result, and what was printed, is there."""
    found = {}
    for cell in notebook.cells:
        if cell.id in points_of(notebook):
            kinds = [output.get("name", output.output_type) for output in cell.outputs]
            assert set(kinds) <= {"stdout", "display_data", "execute_result"}, cell.id
            (found[cell.id],) = (output for output in cell.outputs if output.output_type == "execute_result")
    return found


def told(result: NotebookNode) -> str:
    """Return a result as a person reads it, in one line."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", result.data["text/html"])).split())


def class_of(language: str) -> list[Sample]:
    """Return the samples that are handed in in one language.

    The blank one is in both. Of the others every third is in one, and the everyday check takes it in the other, as it takes all:
    the tests are the same, and a submission costs as long as its tests try it.
    """
    chosen = [sample for number, sample in enumerate(samples()) if sample.rest_is_blank or number % 3 == 0]
    return [sample for sample in chosen if sample.rest_is_blank or turn(sample) != language]


def grade_class(language: str, folder: Path) -> Classroom:
    """Let stock nbgrader grade the class, and the source notebook, in a copy of a language's course in `folder`."""
    classroom = Classroom(language, folder)
    shutil.copytree(course_folder(language) / "source", folder / "source")
    shutil.copy2(course_folder(language) / "nbgrader_config.py", folder)
    _nbgrader(folder, "generate_assignment", ASSIGNMENT)
    source = assignment_source(language)
    reference = reference_answers(source)
    handed_in = {
        str(sample): submission(sample, language, classroom.released, reference) for sample in class_of(language)
    }
    for student, notebook in {**handed_in, TEACHER: source}.items():
        path = folder / "submitted" / student / ASSIGNMENT / f"{ASSIGNMENT}.ipynb"
        path.parent.mkdir(parents=True)
        nbformat.write(notebook, path)
    _nbgrader(folder, "autograde", ASSIGNMENT)
    _nbgrader(folder, "generate_feedback", ASSIGNMENT, "--student", "blank")
    return classroom


def _nbgrader(folder: Path, *arguments: str) -> None:
    """Run nbgrader as in an activated environment, without the settings that this machine has for Jupyter and AWS."""
    home = folder / "home"
    home.mkdir(exist_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JUPYTER_"))}
    environment |= {
        "HOME": str(home),
        "IPYTHONDIR": str(home / "ipython"),
        "JUPYTER_NO_CONFIG": "1",
        "JUPYTER_RUNTIME_DIR": str(home / "runtime"),
        # nbgrader calls alembic by its name.
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": str(ROOT),
        # The course's settings put the examiner in nbgrader's place; here it is nbgrader's own way that counts.
        "AUTOGRADER_STOCK": "1",
    }
    command = [sys.executable, "-m", "nbgrader", *arguments]
    # A kernel of one class can lose a port to a kernel of the other between choosing and taking it, and then stock nbgrader drops
    # that submission and ends with an error. The second run skips what is graded and takes up what was dropped.
    for attempt in (1, 2):
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return
        said = f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-20_000:]}"
        assert attempt == 1, said
        warnings.warn(said, stacklevel=2)
