"""The command `autograder`: its exit status, its sentences in the teacher's language, what it shows, what it imports."""

from __future__ import annotations

import dataclasses
import errno
import io
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbgrader.api import Gradebook
from rich.cells import cell_len
from rich.console import Console

from autograder import nursery, protection
from autograder.app import main
from autograder.explain import explain
from autograder.grading import Result, Summary
from autograder.records import CheckResult, Job, LimitHit, Note, Record
from autograder.records import TestFault as Fault
from autograder.report import PlainReport, TerminalReport, show_table
from autograder.results import Store
from autograder.voice import language_here, voice
from bentocola.messages import translate
from tests.autograder.small_course import ASSIGNMENT, Rooms, hand_in
from tests.autograder.test_results import Protected, rows


class Warm(Rooms):
    """The stand-in for the rooms, as the command makes and closes it."""

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@pytest.fixture(autouse=True)
def rooms(monkeypatch: pytest.MonkeyPatch) -> Warm:
    """Commands grade with the stand-in, on a machine of level A, and speak Spanish where a course does not say otherwise."""
    made = Warm()
    monkeypatch.setattr(nursery, "Nursery", lambda: made)
    monkeypatch.setattr(protection, "found", Protected)
    for name in ("LC_ALL", "LC_MESSAGES", "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "es_MX.UTF-8")
    monkeypatch.setenv("COLUMNS", "160")
    monkeypatch.setenv("JUPYTER_NO_CONFIG", "1")
    monkeypatch.setattr(sys, "path", list(sys.path))
    return made


def said(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    """Return what was printed: output, errors."""
    captured = capsys.readouterr()
    return captured.out, captured.err.rstrip("\n")


def in_course(folder: Path, *arguments: str) -> int:
    """Run a command for a course."""
    return main([*arguments, f"--course-dir={folder}"])


def test_grade_gives_a_line_each_and_a_table(course_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Without a terminal: the level of protection, a line a submission, the closing table; status 0; and the scores are saved."""
    assert in_course(course_folder, "grade", ASSIGNMENT) == 0

    output, errors = said(capsys)
    assert errors == ""
    assert protection.in_words(voice("es"), Protected()) in output.splitlines()  # type: ignore[arg-type]
    assert (
        "[1/2] " + translate("es", "{student}: {earned} of {possible} points", student="ana", earned="7", possible="15")
        in output
    )
    assert translate("es", "Graded") in output
    scores = {(student, cell): score for student, _, cell, _, score, *_ in rows(course_folder)[1]}
    assert scores["ana", "test-double"] == 2


def test_missing_result_is_status_1(course_folder: Path, rooms: Warm, capsys: pytest.CaptureFixture[str]) -> None:
    """A submission without a result: the table names it, with the reason, and the status tells."""

    def fails(job: Job) -> None:
        if job.student == "ken":
            raise RuntimeError("something of ours")

    rooms.before = fails

    assert in_course(course_folder, "grade", ASSIGNMENT) == 1

    output, _ = said(capsys)
    assert translate("es", "No result: run again") in output
    assert "something of ours" in output


def test_end_of_the_nursery_is_one_sentence(
    course_folder: Path, rooms: Warm, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Killed from outside, say: the run stops, what was saved stays, and the same command goes on."""

    def start(job: Job) -> Any:
        if job.student == "ken":
            raise nursery.NurseryError("killed")
        return real(job)

    real = rooms.start
    monkeypatch.setattr(rooms, "start", start)
    stopped = in_course(course_folder, "grade", ASSIGNMENT, "--workers=1")
    _, errors = said(capsys)
    monkeypatch.undo()

    assert stopped == 1
    assert "killed" in errors
    assert len(errors.splitlines()) == 1
    assert {row[0] for row in rows(course_folder)[0]} == {"ana"}


def test_students_are_chosen(course_folder: Path, rooms: Warm) -> None:
    """By name, by glob, by several with commas; whom the course excludes is left out."""
    for student in ("kim", "kit", "lu"):
        hand_in(course_folder, student, {})
    with (course_folder / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write('c.CourseDirectory.student_id_exclude = "kit"\n')

    assert in_course(course_folder, "grade", ASSIGNMENT, "--student=ki*,lu") == 0

    assert sorted(rooms.graded) == ["kim", "lu"]


def test_course_may_lay_its_folders_out_otherwise(course_folder: Path, rooms: Warm) -> None:
    """`directory_structure`, the folders' names and the gradebook's place come from nbgrader_config.py."""
    with (course_folder / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(
            'c.CourseDirectory.directory_structure = "{nbgrader_step}/{assignment_id}/{student_id}"\n'
            'c.CourseDirectory.submitted_directory = "in"\nc.CourseDirectory.autograded_directory = "out"\n'
            f'c.CourseDirectory.db_url = "sqlite:///{course_folder}/other.db"\n'
        )
    (course_folder / "gradebook.db").rename(course_folder / "other.db")
    (course_folder / "in" / ASSIGNMENT).mkdir(parents=True)
    (course_folder / "submitted" / "ana" / ASSIGNMENT).rename(course_folder / "in" / ASSIGNMENT / "ana")

    assert in_course(course_folder, "grade", ASSIGNMENT) == 0

    assert rooms.graded == ["ana"]
    assert (course_folder / "out" / ASSIGNMENT / "ana" / "first.ipynb").is_file()


def _no_assignment(folder: Path) -> list[str]:
    return ["grade", "hv"]


def _nobody(folder: Path) -> list[str]:
    (folder / "submitted").rename(folder / "elsewhere")
    return ["grade", ASSIGNMENT]


def _no_such_student(folder: Path) -> list[str]:
    return ["grade", ASSIGNMENT, "--student=anna"]


def _no_gradebook(folder: Path) -> list[str]:
    (folder / "gradebook.db").unlink()
    return ["grade", ASSIGNMENT]


def _broken_configuration(folder: Path) -> list[str]:
    (folder / "nbgrader_config.py").write_text("c = nothing", encoding="utf-8")
    return ["grade", ASSIGNMENT]


def _newer_metadata(folder: Path) -> list[str]:
    path = folder / "source" / ASSIGNMENT / "first.ipynb"
    notebook = nbformat.read(path, as_version=4)
    for cell in notebook.cells:
        cell.metadata.nbgrader.schema_version = 99
    nbformat.write(notebook, path)
    return ["grade", ASSIGNMENT]


def _changed_source(folder: Path) -> list[str]:
    path = folder / "source" / ASSIGNMENT / "second.ipynb"
    path.write_text(path.read_text(encoding="utf-8").replace('"points": 5', '"points": 6'), encoding="utf-8")
    return ["grade", ASSIGNMENT]


def _no_record(folder: Path) -> list[str]:
    return ["explain", "ana", ASSIGNMENT]


def _no_pages(folder: Path) -> list[str]:
    return ["feedback", ASSIGNMENT]


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (_no_assignment, "hw"),
        (_nobody, "submitted"),
        (_no_such_student, "ana"),
        (_no_gradebook, "nbgrader generate_assignment hw"),
        (_broken_configuration, "nbgrader_config.py"),
        (_newer_metadata, "nbgrader"),
        (_changed_source, "test-half"),
        (_no_record, "autograder grade hw"),
        (_no_pages, "autograder grade hw"),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    course_folder: Path, capsys: pytest.CaptureFixture[str], rooms: Warm, change: Any, named: str
) -> None:
    """Status 1, one line that names what to look at, no traceback, and nobody is graded."""
    arguments = change(course_folder)

    assert in_course(course_folder, *arguments) == 1

    _, errors = said(capsys)
    assert named in errors
    assert len(errors.splitlines()) == 1
    assert rooms.graded == []


def test_read_only_course_is_one_sentence(
    course_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be written: the path, the reason, what to do. The refusal is played: root may write anywhere."""
    real = os.mkdir

    def mkdir(path: Any, *arguments: Any, **named: Any) -> None:
        if str(path).endswith(".autograder"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        real(path, *arguments, **named)

    monkeypatch.setattr(os, "mkdir", mkdir)

    assert in_course(course_folder, "grade", ASSIGNMENT) == 1

    _, errors = said(capsys)
    assert str(course_folder / ".autograder") in errors
    assert len(errors.splitlines()) == 1


def test_gradebook_that_may_only_be_read_is_one_sentence(
    course_folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """SQLite's own refusal stops the run at the first submission."""
    with (course_folder / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write(f'c.CourseDirectory.db_url = "sqlite:///file:{course_folder}/gradebook.db?mode=ro&uri=true"\n')

    assert in_course(course_folder, "grade", ASSIGNMENT) == 1

    _, errors = said(capsys)
    assert "gradebook.db" in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["grade"],
        ["grade", "a", "b"],
        ["grade", ASSIGNMENT, "--nonsense"],
        ["grade", ASSIGNMENT, "--workers=many"],
        ["explain", "ana"],
        ["nonsense"],
    ],
)
def test_wrong_use_is_status_2(
    course_folder: Path, capsys: pytest.CaptureFixture[str], rooms: Warm, arguments: list[str]
) -> None:
    """An argument too few or too many, an unknown option or command, a value of the wrong kind."""
    assert main(arguments if not arguments else [*arguments, f"--course-dir={course_folder}"]) == 2

    _, errors = said(capsys)
    assert errors
    assert "Traceback" not in errors
    assert rooms.graded == []


def test_below_level_b_a_teacher_must_accept(
    course_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, rooms: Warm
) -> None:
    """Refused with a sentence that names the level and the option; with the option, or the setting, it grades."""
    monkeypatch.setattr(protection, "found", lambda: Protected("D"))

    assert in_course(course_folder, "grade", ASSIGNMENT) == 1
    _, errors = said(capsys)
    refused = list(rooms.graded)
    accepted = in_course(course_folder, "grade", ASSIGNMENT, "--accept-unjailed")
    output, _ = said(capsys)
    with (course_folder / "nbgrader_config.py").open("a", encoding="utf-8") as file:
        file.write("c.AutograderApp.accept_unjailed = True\n")

    assert "--accept-unjailed" in errors
    assert refused == []
    assert accepted == 0
    assert protection.in_words(voice("es"), Protected("D")) in output  # type: ignore[arg-type]
    assert in_course(course_folder, "grade", ASSIGNMENT) == 0


def test_language_is_the_options_the_courses_or_the_locales(
    course_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """`--language` first, then the course's setting, then the locale; where none of them is ours, both are said."""
    message = "There is no assignment {name}. The nearest: {names}."
    spanish, japanese = (translate(language, message, name="hv", names="hw") for language in ("es", "ja"))
    heard = []
    monkeypatch.setenv("LANG", "ja_JP.UTF-8")
    for arguments in (["grade", "hv", "--language=ja"], ["grade", "hv"]):
        in_course(course_folder, *arguments)
        heard.append(said(capsys)[1])
    path = course_folder / "nbgrader_config.py"
    path.write_text(path.read_text(encoding="utf-8").replace('c.AutograderApp.language = "es"', ""), encoding="utf-8")
    for locale in ("ja_JP.UTF-8", "C.UTF-8"):
        monkeypatch.setenv("LANG", locale)
        in_course(course_folder, "grade", "hv")
        heard.append(said(capsys)[1])

    assert heard == [japanese, spanish, japanese, f"{spanish}\n{japanese}"]


@pytest.mark.parametrize(
    ("locale", "language"),
    [
        ("es_MX.UTF-8", "es"),
        ("es", "es"),
        ("Spanish_Spain.1252", "es"),
        ("ja_JP.eucJP", "ja"),
        ("Japanese_Japan.932", "ja"),
        ("est_EE.UTF-8", ""),
        ("C.UTF-8", ""),
        ("en_US.UTF-8", ""),
    ],
)
def test_locale_tells_the_language(monkeypatch: pytest.MonkeyPatch, locale: str, language: str) -> None:
    """Of each system's way to name a locale, ours are known; for any other the language is open."""
    monkeypatch.setenv("LANG", locale)

    assert language_here() == language


def test_option_for_the_language_grades_nothing_again(course_folder: Path, rooms: Warm) -> None:
    """It is the teacher's, and no part of what a score comes from."""
    in_course(course_folder, "grade", ASSIGNMENT)
    rooms.graded.clear()

    assert in_course(course_folder, "grade", ASSIGNMENT, "--language=ja") == 0

    assert rooms.graded == []


def test_limits_come_from_the_course(course_folder: Path, rooms: Warm, capsys: pytest.CaptureFixture[str]) -> None:
    """Ours by name, and what nbgrader's own settings say of the same; an unknown one is named."""
    jobs: list[Job] = []
    rooms.before = jobs.append
    path = course_folder / "nbgrader_config.py"
    text = path.read_text(encoding="utf-8")
    path.write_text(
        text + "c.Execute.timeout = 50\nc.LimitOutput.max_lines = 7\nc.AutograderApp.limits = {'processes': 9}\n",
        encoding="utf-8",
    )

    assert in_course(course_folder, "grade", ASSIGNMENT, "--student=ana") == 0
    path.write_text(text + "c.AutograderApp.limits = {'minutes': 9}\n", encoding="utf-8")
    assert in_course(course_folder, "grade", ASSIGNMENT) == 2

    limits = jobs[0].limits
    assert (limits.cell_seconds, limits.output_lines, limits.processes) == (50, 7, 9)
    assert "minutes" in said(capsys)[1]


def test_explain_shows_what_each_point_comes_from(course_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Check, points, place, digests and the level stand there; a student who is not there gets the nearest name."""
    in_course(course_folder, "grade", ASSIGNMENT)
    said(capsys)

    assert in_course(course_folder, "explain", "ana", ASSIGNMENT) == 0
    output, _ = said(capsys)
    assert in_course(course_folder, "explain", "anna", ASSIGNMENT) == 1
    _, errors = said(capsys)

    record = json.loads((course_folder / ".autograder" / ASSIGNMENT / "ana" / "first.json").read_bytes())
    assert "test-double" in output
    assert "2 / 2" in output
    assert all(digest in output for digest in record["digests"].values())
    assert translate("es", "Protection level: {level}", level="A") in output
    assert "ana" in errors


def test_explain_shows_what_a_person_gave(course_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The gradebook's points stand in the place of what waited for a person, and it says that they are a person's."""
    in_course(course_folder, "grade", ASSIGNMENT)
    record = json.loads((course_folder / ".autograder" / ASSIGNMENT / "ana" / "first.json").read_bytes())
    cell = next(check["cell"] for check in record["checks"] if check["earned"] is None)
    with Gradebook(f"sqlite:///{course_folder}/gradebook.db") as book:
        grade = book.find_grade(cell, "first", ASSIGNMENT, "ana")
        grade.manual_score, grade.needs_manual_grade = 1.5, False
        book.db.commit()
    said(capsys)

    assert in_course(course_folder, "explain", "ana", ASSIGNMENT) == 0

    output, _ = said(capsys)
    assert "1.5 / " in next(line for line in output.splitlines() if cell in line)


def test_explain_of_a_refused_file_says_so() -> None:
    """What was handed in and could not be read was not accepted: the row does not say that nothing was handed in."""
    refused = record("ana", state="refused", refusal=LINK)
    missing = CheckResult("t", 2.0, 0.0, "missing", "nobody")
    console = Console(file=io.StringIO(), width=160)

    explain(voice("es"), dataclasses.replace(refused, checks=(missing,)), console)

    text = console.file.getvalue()  # type: ignore[attr-defined]
    row = next(line for line in text.splitlines() if "0 / 2" in line)
    assert translate("es", "not accepted") in row
    assert translate("es", "not handed in") not in text
    assert translate("es", LINK.message, **LINK.values) in text


def test_feedback_names_the_nearest_student(course_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A name that nobody has is not taken for a class that nobody graded."""
    in_course(course_folder, "grade", ASSIGNMENT)
    said(capsys)

    assert in_course(course_folder, "feedback", ASSIGNMENT, "--student=anna") == 1

    _, errors = said(capsys)
    assert errors == translate(
        "es",
        "There is no record of {student} for {assignment}. The nearest: {names}.",
        student="anna",
        assignment=ASSIGNMENT,
        names="ana",
    )


def test_feedback_tells_of_those_without_a_result(course_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Who handed in and was not graded gets no page, and the teacher is told."""
    in_course(course_folder, "grade", ASSIGNMENT, "--student=ana")
    said(capsys)

    assert in_course(course_folder, "feedback", ASSIGNMENT) == 0

    _, errors = said(capsys)
    sentence = "Submissions without a result, and so without a page: {count} ({names}). Grade them first."
    assert errors == translate("es", sentence, count=1, names="ken")


def test_feedback_waits_for_a_run_to_end(course_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """While a run is grading no pages are made: they would be partly of the run before."""
    in_course(course_folder, "grade", ASSIGNMENT)
    said(capsys)

    with Store(course_folder / ".autograder").one_run(ASSIGNMENT):
        assert in_course(course_folder, "feedback", ASSIGNMENT) == 1

    _, errors = said(capsys)
    assert str(os.getpid()) in errors
    assert not (course_folder / "feedback").exists()


@pytest.mark.parametrize(
    ("arguments", "option"),
    [
        (["grade", ASSIGNMENT, "--workers=tres"], "--workers"),
        (["grade", ASSIGNMENT, "--workers", "0"], "--workers"),
        (["feedback", ASSIGNMENT, "--pages", "en"], "--pages"),
        (["feedback", ASSIGNMENT, "--pages"], "--pages"),
        (["grade", ASSIGNMENT, "--language=fr"], "--language"),
    ],
)
def test_wrong_value_is_one_sentence_of_the_teachers(
    course_folder: Path, capsys: pytest.CaptureFixture[str], arguments: list[str], option: str
) -> None:
    """It names the option as it was written, in Spanish, and no trait of ours."""
    assert main([arguments[0], f"--course-dir={course_folder}", *arguments[1:]]) == 2

    _, errors = said(capsys)
    assert option in errors
    assert "trait" not in errors
    assert "expected" not in errors
    assert len(errors.splitlines()) == 1


@pytest.mark.parametrize("command", [[], ["grade"], ["feedback"], ["explain"], ["doctor"], ["preflight"]])
@pytest.mark.parametrize("language", ["es", "ja"])
def test_help_is_in_the_teachers_language(
    command: list[str], language: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Each command tells what it does and each of its options, in one language."""
    assert main([*command, "--help", f"--language={language}"]) == 0

    output, errors = said(capsys)
    other = {"es": "ja", "ja": "es"}[language]
    shared = (
        "Grades what students handed in to a course of nbgrader." if not command else "The language of these texts."
    )
    assert translate(language, shared) in output
    assert translate(other, shared) not in output or translate(other, shared) == translate(language, shared)
    assert errors == ""


def test_help_imports_nothing_heavy() -> None:
    """No nbgrader, no SQLAlchemy, no IPython, no rich: help is there at once."""
    heavy = ("nbgrader", "sqlalchemy", "IPython", "rich", "nbformat", "boto3", "jinja2", "nbclient")
    code = (
        "import sys; from autograder.app import main; main(['grade', '--help']);"
        f"print([name for name in {heavy!r} if name in sys.modules], file=sys.stderr)"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert done.stderr.strip() == "[]"


def record(student: str, **changes: Any) -> Record:
    """Return a record with one check."""
    return Record("hw", student, "first", "d", "A", checks=(CheckResult("t", 2.0, 2.0),), **changes)


BOM = Note("A mark for the byte order stood before the notebook; it was left out.", code="bom")
LINK = Note("{file} is a link, so it was not opened. Ask for the file itself.", {"file": "[red]x.ipynb"}, code="link")
ENDED = Summary(
    "hw",
    "A",
    [
        Result("ok", "graded", (record("ok"),)),
        Result("kept", "kept", (record("kept"),)),
        Result("bom1", "graded", (record("bom1", repairs=(BOM,)),)),
        Result("bom2", "graded", (record("bom2", repairs=(BOM,)),)),
        Result("slow", "graded", (record("slow", limits=(LimitHit("a", "time"),)),)),
        Result("link", "graded", (record("link", state="refused", refusal=LINK),)),
        Result("odd", "graded", (record("odd", faults=(Fault("t", "False"),)),)),
    ],
    # Of the test without a score and of who was not in this run it says nothing.
    waiting=frozenset(
        {
            ("ok", "first", "a"),
            ("ok", "first", "b"),
            ("kept", "first", "a"),
            ("odd", "first", "t"),
            ("elsewhere", "first", "a"),
        }
    ),
)


@pytest.mark.parametrize("language", ["es", "ja"])
def test_table_counts_by_cause_and_names_students(language: str) -> None:
    """Each kind of result: how many, why, who. A student's markup stays text."""
    say = voice(language)
    console = Console(file=io.StringIO(), width=200)

    show_table(say, ENDED, "level A", console)

    text = console.file.getvalue()  # type: ignore[attr-defined]
    lines = [[cell.strip() for cell in line.split("│")[1:-1]] for line in text.splitlines() if "│" in line]
    assert [say("Graded"), "5", "", ""] in lines  # the refused one stands in a row of its own alone
    assert [say("Unchanged"), "1", "", ""] in lines
    assert [say("Repaired"), "2", say(BOM.message), "bom1, bom2"] in lines
    assert [say("Stopped at a limit"), "1", say("out of time"), "slow"] in lines
    assert [say("Not accepted"), "1", say(LINK.message, file="[red]x.ipynb"), "link"] in lines
    assert [say("Test without a score: grade by hand"), "1", "t", "odd"] in lines
    told = say("Answers that wait for a person: {count}", count=3)
    assert [say("To grade by hand"), "2", told, ""] in lines
    assert "level A" in text


class Terminal(io.StringIO):
    """A terminal, for those who ask."""

    def isatty(self) -> bool:
        """Say so."""
        return True


@pytest.mark.parametrize("language", ["es", "ja"])
@pytest.mark.parametrize("width", [60, 100])
def test_sentences_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, language: str, width: int) -> None:
    """On a terminal no word of the help is cut at its edge, and what an option is for stands beside the option."""
    monkeypatch.setenv("LANG", f"{language}.UTF-8")
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    screen = Terminal()
    monkeypatch.setattr(sys, "stdout", screen)

    assert main(["grade", "--help"]) == 0

    lines = screen.getvalue().splitlines()
    text = translate(language, "Grade though this machine cannot keep students' code apart from your files.")
    first = next(n for n, line in enumerate(lines) if line.startswith("  --accept-unjailed  "))
    told = [line[len("  --accept-unjailed  ") :].strip() for line in lines[first:]]
    assert max(cell_len(line) for line in lines) <= width
    assert (" " if language == "es" else "").join(told) == text
    assert all(line.startswith(" " * 20) for line in lines[first + 1 :])


def test_terminal_shows_count_and_the_worst_so_far() -> None:
    """The bar counts, and below it stand what a teacher will want to look at: refused before stopped, a good one never."""
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    report = TerminalReport(voice("es"), console)
    with report:
        report.begins(7, 1)
        for result in ENDED.results:
            report.ended(result)
        console.print(report._shown())

    text = console.file.getvalue()  # type: ignore[attr-defined]
    last = text[text.rindex("7/7") :]
    assert last.index("link") < last.index("odd") < last.index("slow")
    assert "bom1" not in last


def test_terminal_names_who_is_still_running() -> None:
    """While others wait the bar tells the time left; of the last ones nobody knows it, so their names stand there."""
    console = Console(file=io.StringIO(), force_terminal=True, width=120)
    say = voice("es")
    report = TerminalReport(say, console)
    report.begins(3, 0)
    report.starts("ok")
    report.starts("slow")

    def shown() -> str:
        with console.capture() as capture:
            console.print(report._shown())
        return capture.get()

    early = shown()
    report.ended(ENDED.results[0])
    report.starts("last")
    late = shown()

    told = say("Still running: {names}", names="")
    assert told not in early
    assert f"{told}slow (" in late
    assert "last (" in late


@pytest.mark.parametrize(("language", "width"), [("es", 60), ("ja", 60), ("es", 100), ("ja", 100)])
def test_table_leaves_nothing_out(language: str, width: int) -> None:
    """However narrow the terminal: a name that has no room is folded, not cut, and no line is wider than the terminal."""
    name = "課題_パイプライン🚀" * 6
    note = Note("The file {file} was taken for {notebook}.", {"file": f"{name}.ipynb", "notebook": "a.ipynb"}, code="n")
    record = Record("hw", "ana", "a", "d", "A", repairs=(note,))
    console = Console(file=io.StringIO(), width=width)

    show_table(voice(language), Summary("hw", "A", [Result("ana" * 30, "graded", (record,))]), "level A", console)

    text = console.file.getvalue()  # type: ignore[attr-defined]
    columns = [line.split("│")[1:-1] for line in text.splitlines() if "│" in line]
    why, who = ("".join(row[n].strip() for row in columns) for n in (2, 3))
    assert "…" not in text
    assert name in why
    assert "ana" * 30 in who
    assert max(cell_len(line) for line in text.splitlines()) <= width


def test_both_languages_stand_one_after_the_other(
    course_folder: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where neither is known: points as numbers alone, one table in Spanish and one in Japanese, no line in both."""
    monkeypatch.setenv("LANG", "C.UTF-8")
    path = course_folder / "nbgrader_config.py"
    path.write_text(path.read_text(encoding="utf-8").replace('c.AutograderApp.language = "es"', ""), encoding="utf-8")

    assert in_course(course_folder, "grade", ASSIGNMENT) == 0
    output, _ = said(capsys)
    assert in_course(course_folder, "explain", "ana", ASSIGNMENT) == 0
    told, _ = said(capsys)

    graded = [translate(language, "Graded") for language in ("es", "ja")]
    assert "[1/2] ana: 7 / 15\n" in output
    assert [word for line in output.splitlines() for word in graded if f" {word} " in line] == graded
    headings = [translate(language, "Where it ran") for language in ("es", "ja")]
    assert not [line for line in told.splitlines() if all(heading in line for heading in headings)]
    assert all(heading in told for heading in headings)


def test_plain_lines_hold_no_control_codes() -> None:
    """What is written into a file is text alone."""
    lines: list[str] = []
    report = PlainReport(voice("ja"), lines.append)
    report.begins(7, 1)
    for result in ENDED.results:
        report.ended(result)

    assert len(lines) == 8
    assert all(line.isprintable() for line in lines)
