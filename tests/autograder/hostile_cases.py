"""The hostile and broken submissions as data, and the folder that each would be handed in as.

A submission is a file in `hostile/`: one fault, one file, in percent format. Its header is

    # line: Infinite loop                     the line of the specification's list that it is of (LINES); several: joined by ";"
    # does: …                                 what it does, in a few words
    # gets: all | wrong | all but test3       the points that its code really earned, whatever it tries; or `test1=2 test3=0`
    # refused: too-large                      in the place of `gets`: the code of intake's refusal
    # limits: sol3=time|output                cells at which a limit must be named, and which (one of those given)
    # notes: settings:test3, renamed          what intake must say; no other sign of tampering may be told
    # answers: wrong                          the rest of the answers: those of WRONG (absent: the reference's)
    # course: avisos                          the course it is for (absent: bench)
    # settings: cell_seconds=2                limits to run it with, so that it is over soon
    # make: bom                               the function of `hostile_recipes` that makes the file
    # needs: posix, jail                      what it cannot do without ("jail": it does real damage where there is none)

then a section a cell: `# %% sol3` is what the student wrote there; `# %% own` is a cell of their own after the section before;
`# %% own before setup` says where; `# %% file json.py` is a file beside the notebook.

In a text, CANARY_FOLDER, COURSE_FOLDER and CANARY_PORT stand for what the run watches (see `Canary`).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.autograder import hostile_recipes
from tests.autograder.hostile_courses import COURSES, Course, reference_notebook

__all__ = ["FOLDER", "LINES", "Canary", "Case", "build", "cases"]

FOLDER = Path(__file__).parent / "hostile"

LINES = (
    "infinite loop",
    "loop that swallows the interrupt",
    "blocked signals",
    "fork bomb",
    "memory bomb",
    "output flood",
    "a 30 MB print",
    "os._exit(0)",
    "sys.exit",
    "killing the parent",
    "deleting outside",
    "writing outside",
    "reading gradebook",
    "reading hidden tests",
    "reading other submissions",
    "reading ~/.aws",
    "environment",
    "sockets",
    "DNS",
    "a client made before the mock",
    "stopping the mock",
    "patching assert",
    "patching builtins",
    "patching json",
    "patching print",
    "patching time",
    "transformers that strip asserts",
    "objects equal to everything",
    "boto3 replaced in sys.modules",
    "moto replaced in sys.modules",
    "a helper redefined after its test",
    "a function redefined after its test",
    "SystemExit in __del__",
    "clock changes",
    "points edited",
    "flags edited",
    "duplicate id",
    "test cell deleted",
    "test cell edited",
    "test cell retyped",
    "test cell skipped by tag",
    "outputs filled in beforehand",
    "an early execute_result",
    "homoglyph names",
    "a 100 MB notebook",
    "deep recursion",
    "threads left",
    "daemons left",
    "input()",
    "%%bash",
    "!pip",
    "top-level await",
    "not UTF-8",
    "BOM",
    "CRLF",
    "nbformat 3",
    "nbformat 5",
    "no kernelspec",
    "a foreign kernelspec",
    "empty",
    "truncated",
    "symlink",
    "escaping name",
    "filling the disk",
    "a json.py beside the notebook",
    "emoji file name",
    "NFD file name",
    "warnings inside a test",
    "logging inside a test",
    "a deployed function that reads gradebook, environment and network",
    "5 GB of objects put into the cloud",
    "a %regex% that never ends",
    "names of the set-up cell bound anew",
    "calls from threads",
    "calls from forked children",
    # Right answers that a careless crossing fails
    "ValueError raised by json.loads",
    "except client.exceptions.ConditionalCheckFailedException",
    "a Counter as result",
    "a numpy scalar as result",
    "a generator as result",
    "a map as result",
    "work handed on to a helper",
    "an exception of the test's own passing through",
)
"""What the specification lists, part by part, each of which has a case."""


@dataclass(frozen=True)
class Canary:
    """What a run watches: nothing of it may be seen, changed or reached by a student's code."""

    folder: Path = Path("/nonexistent/canary")
    """A folder that must stay as it is; its files hold `text`."""
    course: Path = Path("/nonexistent/course")
    """The course's folder, with gradebook, source and everybody's submissions."""
    port: int = 9
    """On loopback, where nobody may call."""
    text: str = "CANARY-OF-THE-TEACHER"
    """Also in the environment of the run, in the gradebook and beside other students' notebooks. No fixture contains it."""


@dataclass(frozen=True)
class Section:
    """A part of a case's file."""

    kind: str
    """"cell" (name: grade_id), "own" (name: the cell that it stands before, or "") or "file"."""
    name: str
    text: str


@dataclass(frozen=True)
class Case:
    """A submission, and what must come of it."""

    name: str
    course: Course
    lines: tuple[str, ...]
    does: str
    points: Mapping[str, float]
    """By test cell; empty if it is refused."""
    refusal: str | None
    limits: Mapping[str, frozenset[str]]
    """By cell ("own": one of the student's own): the causes of which one must be named there."""
    notes: frozenset[str]
    """Intake's codes, or "code:cell", that must be there. Of the codes of tampering there may be no other."""
    settings: Mapping[str, float]
    """Changes to `autograder.records.Limits`."""
    needs: frozenset[str]
    answers: str
    make: str | None
    sections: tuple[Section, ...]

    def __str__(self) -> str:
        return self.name

    @property
    def total(self) -> float:
        """The points of the whole notebook."""
        return sum(self.points.values())


@cache
def cases() -> tuple[Case, ...]:
    """Return all of them, by name."""
    return tuple(read(path) for path in sorted(FOLDER.glob("*.py")))


_HEADER = re.compile(r"# (line|does|gets|refused|limits|notes|answers|course|settings|make|needs): (.+)")
_SECTION = re.compile(r"# %% (?:(?P<own>own)(?: before (?P<before>[\w-]+))?|file (?P<file>\S+)|(?P<cell>[\w-]+))")


def read(path: Path) -> Case:
    """Return the case in a file. Raises ValueError for one that is not in the form that this module describes."""
    lines = path.read_text(encoding="utf-8").splitlines()
    header: dict[str, str] = {}
    while lines and not _SECTION.fullmatch(lines[0]):
        line = lines.pop(0)
        if found := _HEADER.fullmatch(line):
            header[found[1]] = found[2].strip()
        elif line:
            raise ValueError(f"{path.name}: no header line and in no section: {line!r}")
    course = COURSES[header.get("course", "bench")]
    if ("gets" in header) == ("refused" in header):
        raise ValueError(f"{path.name}: expected one of `gets` and `refused`.")
    unknown = set(_listed(header.get("line", ""), ";")) - set(LINES)
    if unknown:
        raise ValueError(f"{path.name}: no such line: {unknown}")
    limits = dict(part.split("=") for part in header.get("limits", "").split())
    return Case(
        name=path.stem,
        course=course,
        lines=tuple(_listed(header.get("line", ""), ";")),
        does=header["does"],
        points=_points(header["gets"], course) if "gets" in header else {},
        refusal=header.get("refused"),
        limits={cell: frozenset(causes.split("|")) for cell, causes in limits.items()},
        notes=frozenset(_listed(header.get("notes", ""), ",")),
        settings={
            name: float(value) for name, value in (part.split("=") for part in header.get("settings", "").split())
        },
        needs=frozenset(_listed(header.get("needs", ""), ",")),
        answers=header.get("answers", "right"),
        make=header.get("make"),
        sections=tuple(_sections(lines)),
    )


def _listed(text: str, mark: str) -> list[str]:
    return [part.strip() for part in text.split(mark) if part.strip()]


def _points(text: str, course: Course) -> dict[str, float]:
    full = {cell.grade_id: cell.points for cell in course.paper().notebooks[0].cells if cell.role == "test"}
    if text == "wrong":
        return dict(course.wrong_points)
    if text.startswith("all"):
        lost = text.removeprefix("all").removeprefix(" but ").replace(",", " ").split()
        if not set(lost) <= set(full):
            raise ValueError(f"No such test cells: {lost}")
        return {cell: 0.0 if cell in lost else points for cell, points in full.items()}
    given = {cell: float(points) for cell, points in (part.split("=") for part in text.split())}
    if set(given) != set(full):
        raise ValueError(f"Expected points of {sorted(full)}, got {text!r}.")
    return given


def _sections(lines: list[str]) -> Iterator[Section]:
    starts = [n for n, line in enumerate(lines) if _SECTION.fullmatch(line)]
    for start, end in pairwise([*starts, len(lines)]):
        found = _SECTION.fullmatch(lines[start])
        assert found is not None
        kind = "own" if found["own"] else "file" if found["file"] else "cell"
        yield Section(
            kind, found["before"] or found["file"] or found["cell"] or "", "\n".join(lines[start + 1 : end]).strip("\n")
        )


# From case to folder


def build(case: Case, folder: Path, canary: Canary | None = None) -> None:
    """Put the submission into `folder` (a student's folder of the assignment; it must be there, and empty)."""
    canary = canary or Canary()
    notebook = reference_notebook(case.course, case.course.wrong if case.answers == "wrong" else None)
    cells = notebook["cells"]
    last = len(cells) - 1
    for number, section in enumerate(case.sections):
        text = _watched(section.text, canary)
        ids = [cell["metadata"].get("nbgrader", {}).get("grade_id") for cell in cells]
        if section.kind == "file":
            (folder / section.name).write_text(text, encoding="utf-8")
        elif section.kind == "cell":
            last = ids.index(section.name)
            cells[last]["source"] = text
        else:
            last = ids.index(section.name) if section.name else last + 1
            own = {"cell_type": "code", "id": f"own-{number}", "metadata": {}, "source": text}
            cells.insert(last, own | {"execution_count": None, "outputs": []})
    file = folder / f"{case.course.notebook}.ipynb"
    made = getattr(hostile_recipes, case.make)(notebook, file, canary) if case.make else None
    if not made:
        file.write_text(json.dumps(notebook, ensure_ascii=False, indent=1), encoding="utf-8")


def _watched(text: str, canary: Canary) -> str:
    return (
        text.replace("CANARY_FOLDER", repr(str(canary.folder)))
        .replace("COURSE_FOLDER", repr(str(canary.course)))
        .replace("CANARY_PORT", str(canary.port))
    )
