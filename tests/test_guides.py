"""The teacher's guide: the same pages and commands in both languages, links that lead somewhere, options that there are."""

from __future__ import annotations

import ast
import itertools
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from statistics import median
from typing import Any
from unicodedata import category

import nbformat
import pytest

from autograder.app import Autograder
from autograder.records import CAUSES, Limits
from autograder.voice import cause_in_words, voice
from bentocola.messages import LANGUAGES, translate
from tests.notebooks.prose import Passage, passages
from tests.notebooks.test_language import (
    NOT_IN_JAPANESE,
    NOT_IN_SPANISH,
    SPACED,
    characters,
    found,
    sentences,
    words,
)
from tests.repository import ROOT

GUIDES = ROOT / "guides"
READMES = [ROOT / "README.md", *(ROOT / f"README.{language}.md" for language in LANGUAGES)]
RUNNING = {"paragraph", "item", "cell"}
# What differs between the editions inside a command: the course's folder and name, a student, what stands for an address.
SAME = {
    "assignments/ja": "assignments/es",
    "bentocola-ja": "bentocola-es",
    "sato": "lucia",
    "アドレス": "DIRECCIÓN",
    "--pages ja": "--pages es",
    'language = "ja"': 'language = "es"',
}
SHELL = {"cd", "git", "make", "mkdir", "cp", "echo", ".", "jupyter", "python"}


@dataclass(frozen=True)
class Block:
    """A block of code of a page."""

    page: str
    kind: str
    """"shell" of commands, "path", "python" or "csv"."""
    text: str


@cache
def pages(language: str) -> dict[str, str]:
    """Return the guide's pages of a language, by the name of the file."""
    return {path.name: path.read_text(encoding="utf-8") for path in sorted((GUIDES / language).glob("*.md"))}


def blocks(language: str) -> Iterator[Block]:
    """Yield the blocks of code of a language's guide."""
    for page, text in pages(language).items():
        for marked, code in re.findall(r"^```(\w*)\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
            first = code.split()[0]
            is_command = first in {*SHELL, "autograder", "nbgrader"} or "=" in first
            kind = marked or ("shell" if is_command else "csv" if "," in first else "path")
            yield Block(page, kind, code)


def commands(language: str) -> list[tuple[str, list[str]]]:
    """Return page and words of each command: in blocks, and in the text where one is written out."""
    lines = [
        (block.page, line) for block in blocks(language) if block.kind == "shell" for line in block.text.splitlines()
    ]
    for page, text in pages(language).items():
        lines += [(page, line) for line in re.findall(r"`((?:autograder|nbgrader) [^`]+)`", text)]
    return [(page, shlex.split(line)) for page, line in lines]


def prose(language: str) -> list[Passage]:
    """Return the prose of a language's guide."""
    cells = []
    for page, text in pages(language).items():
        cell = nbformat.v4.new_markdown_cell(text)
        cell["id"] = page.removesuffix(".md")
        cells.append(cell)
    return passages(nbformat.v4.new_notebook(cells=cells))


def as_spanish(text: str) -> str:
    """Return a command of the Japanese edition as it stands in the Spanish one."""
    for own, other in SAME.items():
        text = text.replace(own, other)
    return text


# Both languages


def test_both_languages_have_the_same_pages() -> None:
    """Each page is there in both languages, under the same name."""
    assert len(pages("es")) >= 9
    assert list(pages("es")) == list(pages("ja"))


def test_both_languages_have_the_same_commands() -> None:
    """The same blocks stand in the same order on the same pages; a list of students has names of its own."""
    spanish = [(block.page, block.kind, block.text) for block in blocks("es")]
    japanese = [(block.page, block.kind, as_spanish(block.text)) for block in blocks("ja")]
    assert len(spanish) > 25

    def without_names(told: list[tuple[str, str, str]]) -> list[tuple[str, str, str]]:
        return [(page, kind, text.splitlines()[0] if kind == "csv" else text) for page, kind, text in told]

    assert without_names(japanese) == without_names(spanish)


def test_both_languages_have_the_same_sections() -> None:
    """Each page has as many headings of each level, and tables of as many rows."""

    def shape(text: str) -> list[str]:
        plain = re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL)
        return re.findall(r"^(?:#+|\|)", plain, re.MULTILINE)

    assert [name for name in pages("es") if shape(pages("es")[name]) != shape(pages("ja")[name])] == []


# Links


def anchors(text: str) -> set[str]:
    """Return the anchors of a page's headings, as GitHub and GitLab make them."""
    headings = re.findall(r"^#+ (.+)$", re.sub(r"^```.*?^```", "", text, flags=re.MULTILINE | re.DOTALL), re.MULTILINE)
    return {
        "".join(c for c in heading.lower().replace(" ", "-") if c in "-_" or category(c)[0] in "LNM")
        for heading in headings
    }


def broken_links(path: Path) -> list[str]:
    """Return the links of a page that lead nowhere."""
    broken = []
    for target in re.findall(r"(?<!!)\]\(([^)]+)\)", path.read_text(encoding="utf-8")):
        if re.match(r"\w+://", target):
            continue
        file, _, anchor = target.partition("#")
        linked = (path.parent / file).resolve() if file else path
        if not linked.exists() or (anchor and anchor not in anchors(linked.read_text(encoding="utf-8"))):
            broken.append(f"{path.name}: {target}")
    return broken


def test_links_lead_somewhere() -> None:
    """Each link of the guide and of the READMEs leads to a file that is there, and to a heading of it."""
    files = [*READMES, *sorted(GUIDES.rglob("*.md"))]

    assert [link for path in files for link in broken_links(path)] == []


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    """The test sees a missing file and a missing heading, and takes headings with accents and kanji."""
    (tmp_path / "there.md").write_text("# Una prueba no da nota\n## 先に確かめる\n", encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(
        "[a](there.md#una-prueba-no-da-nota) [b](there.md#先に確かめる) [c](no.md) [d](there.md#no)", encoding="utf-8"
    )

    assert broken_links(page) == ["page.md: no.md", "page.md: there.md#no"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_is_reached_from_the_readme(language: str) -> None:
    """The README leads to the guide, and the guide's first page to each of its pages."""
    readme = (ROOT / f"README.{language}.md").read_text(encoding="utf-8")
    index = pages(language)["README.md"]

    assert f"(guides/{language}/README.md)" in readme
    assert f"(guides/{language}/README.md)" in READMES[0].read_text(encoding="utf-8")
    assert [name for name in pages(language) if name != "README.md" and f"({name})" not in index] == []


# Commands


def options_of_nbgrader() -> dict[str, set[str]]:
    """Return the options of each of nbgrader's commands that the guide names, as they are written."""
    from nbgrader.apps import (
        AutogradeApp,
        CollectApp,
        DbApp,
        ExportApp,
        FetchAssignmentApp,
        FetchFeedbackApp,
        GenerateAssignmentApp,
        GenerateFeedbackApp,
        ListApp,
        ReleaseAssignmentApp,
        ReleaseFeedbackApp,
        SubmitApp,
        dbapp,
    )

    apps: dict[str, Any] = {
        "autograde": AutogradeApp,
        "collect": CollectApp,
        "db": DbApp,
        "db assignment add": dbapp.DbAssignmentAddApp,
        "db student import": dbapp.DbStudentImportApp,
        "db upgrade": dbapp.DbUpgradeApp,
        "export": ExportApp,
        "fetch_assignment": FetchAssignmentApp,
        "fetch_feedback": FetchFeedbackApp,
        "generate_assignment": GenerateAssignmentApp,
        "generate_feedback": GenerateFeedbackApp,
        "list": ListApp,
        "release_assignment": ReleaseAssignmentApp,
        "release_feedback": ReleaseFeedbackApp,
        "submit": SubmitApp,
    }
    return {name: {*app.aliases, *app.flags} for name, app in apps.items()}


def named_options(line: list[str]) -> list[str]:
    """Return the options of a command, without dashes and values."""
    return [word.lstrip("-").partition("=")[0] for word in line if word.startswith("--")]


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_command_and_option_of_ours_exists(language: str) -> None:
    """What the guide says of `autograder` is there: the commands, and each of their options."""
    told = [(page, line[1:]) for page, line in commands(language) if line[0] == "autograder"]
    wrong = []
    for page, line in told:
        if line[0] not in Autograder.commands:
            wrong.append(f"{page}: autograder {line[0]}")
            continue
        command = Autograder.command(line[0])
        there = {*command.aliases, *command.flags}
        wrong += [f"{page}: autograder {line[0]} --{option}" for option in named_options(line) if option not in there]

    assert {line[0] for _, line in told} == set(Autograder.commands)
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_commands_have_as_many_arguments_as_they_take(language: str) -> None:
    """Where a command is written with what it is about, nothing is missing and nothing too much."""
    wrong = []
    for page, line in commands(language):
        if line[0] != "autograder" or line[1] not in Autograder.commands or len(line) < 3:
            continue
        command, arguments = Autograder.command(line[1]), []
        words_left = iter(line[2:])
        for word in words_left:
            if not word.startswith("--"):
                arguments.append(word)
            elif "=" not in word and word.lstrip("-") in command.aliases:
                next(words_left)
        low, high = command.arguments
        if not low <= len(arguments) <= high:
            wrong.append(f"{page}: {' '.join(line)}")

    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_each_command_and_option_of_nbgrader_s_exists(language: str) -> None:
    """What the guide says of nbgrader is there, in the version that is installed."""
    known = options_of_nbgrader()
    wrong = []
    for page, line in commands(language):
        line = list(itertools.dropwhile(lambda word: "=" in word, line))
        if line[0] != "nbgrader":
            continue
        name = next((" ".join(line[1:n]) for n in (4, 3, 2) if " ".join(line[1:n]) in known), None)
        if name is None:
            wrong.append(f"{page}: {' '.join(line)}")
        else:
            wrong += [
                f"{page}: nbgrader {name} --{option}" for option in named_options(line) if option not in known[name]
            ]

    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_shell_commands_are_ordinary_ones(language: str) -> None:
    """Beside ours and nbgrader's there are only commands that each system has, or that were installed before."""
    others = {line[0] for _, line in commands(language) if "=" not in line[0]} - {"autograder", "nbgrader"}

    assert others <= SHELL


# What the guide says of the program


def names_of_rows() -> list[str]:
    """Return what the rows of the closing table are called, as the report's own source says it."""
    tree = ast.parse((ROOT / "autograder/report.py").read_text(encoding="utf-8"))
    makers = [node for node in tree.body if getattr(node, "name", "") in ("_rows", "_with_students_code")]
    calls = [node for maker in makers for node in ast.walk(maker) if isinstance(node, ast.Call)]
    return [
        str(call.args[0].value)
        for call in calls
        if isinstance(call.func, ast.Name) and call.func.id == "say" and isinstance(call.args[0], ast.Constant)
    ]


@pytest.mark.parametrize("language", LANGUAGES)
def test_rows_of_the_closing_table_are_named_as_they_are_printed(language: str) -> None:
    """A teacher finds each row of the table, and each cause, under the words that stand in the terminal."""
    page = pages(language)["04-grade.md"]
    rows = [translate(language, name) for name in names_of_rows()]
    assert len(rows) > 6
    # These two are no reason for stopping a cell, and a fault of the test has a row of its own.
    causes = [
        cause_in_words(voice(language), cause) for cause in CAUSES if cause not in ("error", "missing", "test-fault")
    ]

    assert [row for row in [*rows, *causes] if f"| {row} |" not in page] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_limits_are_those_of_the_program(language: str) -> None:
    """The numbers of the guide are the limits that hold where nobody sets others."""
    page, limits = pages(language)["04-grade.md"], Limits()
    numbers = {
        int(number) for number in re.findall(r"\d+", page[page.index("os._exit") - 900 : page.index("os._exit")])
    }

    assert {
        int(limits.cell_seconds),
        int(limits.submission_seconds),
        limits.memory_bytes >> 30,
        limits.output_bytes >> 20,
        limits.output_lines,
        limits.processes,
        limits.disk_bytes >> 20,
    } <= numbers
    assert f"{limits.notebook_bytes >> 20}" in re.findall(r"\d+", pages(language)["08-when-something-goes-wrong.md"])


# Style


def test_spanish_prose_is_in_the_style_of_the_course() -> None:
    """Short sentences, none of the words to avoid, each question and quotation opened and closed."""
    told = prose("es")
    long = [f"{page}: {text}" for page, text in sentences(told, "es", RUNNING) if words(text) > 25]
    uneven = [
        f"{passage.cell}: {passage.text}"
        for passage in told
        for opening, closing in ("¿?", "¡!", "«»")
        if passage.text.count(opening) != passage.text.count(closing)
    ]
    # The version of nbgrader and of Python is no decimal.
    decimals = {"decimals"}

    assert found({rule: sign for rule, sign in NOT_IN_SPANISH.items() if rule not in decimals}, told) == []
    assert long == []
    assert uneven == []
    assert median(words(text) for _, text in sentences(told, "es", {"paragraph"})) <= 15


def test_japanese_prose_is_in_the_style_of_the_course() -> None:
    """Short sentences with few commas, none of the words to avoid, no typed spaces, and not four endings alike in a row."""
    told = prose("ja")
    running = sentences(told, "ja", RUNNING)
    long = [f"{page}: {text}" for page, text in running if characters(text) > 60 or text.count("、") > 2]
    alike = [
        passage.text
        for passage in told
        if "1111" in "".join(str(int(text.endswith("ます。"))) for text in passage.sentences("ja"))
    ]

    assert found({rule: sign for rule, sign in NOT_IN_JAPANESE.items() if rule != "half-width punctuation"}, told) == []
    assert found(SPACED, [passage for passage in told if passage.kind != "heading"]) == []
    assert long == []
    assert alike == []
    assert median(characters(text) for _, text in sentences(told, "ja", {"paragraph"})) <= 35


# Followed from the text alone

# What a test cannot do as it is written: it would install, open a browser, or need a class on one server.
NOT_FOLLOWED = ("git", "make", "jupyter", ".", "cd")
EXCHANGE = ("release_assignment", "fetch_assignment", "submit", "list", "collect", "release_feedback", "fetch_feedback")


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="The commands are those of a POSIX shell.")
def test_guide_can_be_followed_from_its_text_alone(tmp_path: Path) -> None:
    """Its commands, in its order, take one submission from the source to a page and a list of grades; each one succeeds."""
    from autograder import protection

    if protection.found().level not in protection.ENOUGH:
        pytest.skip("This machine cannot jail a submission, and the guide says so.")
    course, home = tmp_path / "bentocola" / "assignments" / "es", tmp_path / "home"
    shutil.copytree(ROOT / "assignments/es/source", course / "source")
    shutil.copy(ROOT / "assignments/es/nbgrader_config.py", course)
    (home / "Downloads").mkdir(parents=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("AWS_", "JUPYTER_"))}
    environment |= {
        "HOME": str(home),
        "PATH": os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)]),
        "PYTHONPATH": str(ROOT),
    }
    lines = []
    for block in blocks("es"):
        if block.kind == "csv":
            (course / "students.csv").write_text(block.text, encoding="utf-8")
        lines += block.text.splitlines() if block.kind == "shell" else []
    followed = [line for line in lines if line.split()[0] not in NOT_FOLLOWED and not set(line.split()) & set(EXCHANGE)]
    assert len(followed) > 20
    for line in followed:
        released = course / "release/01-upload-to-table/01-upload-to-table.ipynb"
        if line.startswith("cp "):
            shutil.copy(released, home / "Downloads")
            shutil.copy(released, home / "Downloads/01-upload-to-table (1).ipynb")
        done = subprocess.run(
            ["bash", "-c", line], cwd=course, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{line}\n{done.stdout[-2000:]}\n{done.stderr[-4000:]}"

    page = course / "feedback/lucia/01-upload-to-table/01-upload-to-table.html"
    assert page.is_file()
    assert "lucia" in (course / "grades.csv").read_text(encoding="utf-8")
