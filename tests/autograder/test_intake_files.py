"""Intake from bytes and names: which file is which notebook, what can be read, and what lies beside it."""

from __future__ import annotations

import copy
import json
import random
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest

from autograder import paper as papers
from autograder.intake import extra_files, read_regular
from autograder.intake.decoding import decode
from autograder.intake.files import Refused, plain_name
from autograder.records import Limits
from autograder.sheet import Paper
from tests.autograder.handed_in import (
    BENCH,
    KNOWN,
    Notebook,
    at,
    nbgrader_cell,
    put,
    said,
    source,
    taken,
)
from tests.autograder.hostile_courses import reference_notebook

POSIX = pytest.mark.skipif(sys.platform == "win32", reason="needs a POSIX system")


# Names


@pytest.mark.parametrize(
    "name",
    [
        "pipeline (1).ipynb",
        "pipeline(2).ipynb",
        "Copia de pipeline.ipynb",
        "pipeline - copia (3).ipynb",
        "pipeline-Copy1.ipynb",
        "PIPELINE.IPYNB",
        " Pipeline .ipynb",
        "pipelineのコピー.ipynb",
        "コピー ～ pipeline.ipynb",
        "pipeline.ipynb.txt",
        "ｐｉｐｅｌｉｎｅ.ipynb",
        "Ana_García_pipeline_final.ipynb",
        "entrega/pipeline.ipynb",
        "nothing alike.ipynb",
    ],
)
def test_renamed_file_is_found(name: str, tmp_path: Path) -> None:
    """Whatever a system or a student makes of the name, the notebook is found and the name is told."""
    result = taken(put(tmp_path, reference_notebook(BENCH), name))

    assert said(result) == ["renamed"]
    assert result.file == name


def test_name_in_another_spelling_of_its_accents_is_the_name(tmp_path: Path) -> None:
    """NFC and NFD are the same name: there is nothing to tell."""
    folder = source(
        tmp_path,
        nbgrader_cell("code", "t", "1", grade=True, points=1),
        name="canci\N{LATIN SMALL LETTER O WITH ACUTE}n",
    )
    paper = papers.prepare(folder, assignment="ps", language="")
    notebook = (folder / "canción.ipynb").read_bytes()
    handed = put(tmp_path / "handed", notebook, "cancio\N{COMBINING ACUTE ACCENT}n.ipynb")

    assert said(taken(handed, paper, "canción")) == []


def two_notebooks(folder: Path) -> Paper:
    """Return the paper of an assignment with `lab1` and `lab10`."""
    for name in ("lab1", "lab10"):
        text = f"assert 'the test of {name}' != ''"
        made = source(folder, nbgrader_cell("code", f"t-{name}", text, grade=True, points=1), name=name)
    return papers.prepare(made, assignment="ps", language="")


def test_several_notebooks_that_were_renamed(tmp_path: Path) -> None:
    """Names that say nothing are matched by what is in the files; names that say something are believed first."""
    paper = two_notebooks(tmp_path)
    texts = {name: (tmp_path / "source" / "ps" / f"{name}.ipynb").read_bytes() for name in ("lab1", "lab10")}
    both = tmp_path / "both"
    put(both, texts["lab10"], "uno.ipynb")
    put(both, texts["lab1"], "dos.ipynb")
    copies = tmp_path / "copies"
    put(copies, texts["lab10"], "lab10 (1).ipynb")
    put(copies, texts["lab1"], "lab1.ipynb")

    assert [taken(both, paper, name).file for name in ("lab1", "lab10")] == ["dos.ipynb", "uno.ipynb"]
    assert [taken(copies, paper, name).file for name in ("lab1", "lab10")] == ["lab1.ipynb", "lab10 (1).ipynb"]
    assert said(taken(copies, paper, "lab1")) == []


def test_notebook_that_was_not_handed_in(tmp_path: Path) -> None:
    """It is refused by that name, beside others and in an empty folder, and without any folder."""
    paper = two_notebooks(tmp_path)
    put(tmp_path / "handed", (tmp_path / "source" / "ps" / "lab1.ipynb").read_bytes(), "lab1.ipynb")

    for folder in (tmp_path / "handed", tmp_path / "empty", tmp_path / "handed" / "lab1.ipynb"):
        refusal = taken(folder, paper, "lab10").refusal
        assert refusal is not None
        assert refusal.code == "no-notebook"
    with pytest.raises(ValueError, match="lab2"):
        taken(tmp_path / "handed", paper, "lab2")


def test_names_are_compared_by_letters() -> None:
    """Case, width, spaces, emoji and the marks of copies say nothing; letters and numbers do."""
    assert plain_name("Copia de  Lab_1 (2).ipynb") == plain_name("lab-1-Copy3.IPYNB") == plain_name("🚀lab 1.ipynb")
    assert plain_name("lab1.ipynb") != plain_name("lab10.ipynb")


def test_work_in_a_copy_beside_a_broken_file(tmp_path: Path) -> None:
    """If the file of the right name cannot be read, another one of the name is graded."""
    put(tmp_path, b"")
    put(tmp_path, reference_notebook(BENCH), "pipeline (1).ipynb")

    assert said(taken(tmp_path)) == ["several-files"]


# Bytes


@pytest.mark.parametrize("encoding", ["cp932", "euc_jp", "shift_jis"])
def test_encoding_is_told_by_what_must_be_in_the_file(encoding: str) -> None:
    """A text that the release is known to hold tells one old encoding from another."""
    cell = {"cell_type": "code", "metadata": {}, "source": "# 注文を一件ずつ処理する"}
    data = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}, ensure_ascii=False).encode(encoding)

    handed, notes = decode(data, "a.ipynb", ["処理する"])

    assert handed.cells[0].text == cell["source"]
    assert [note.code for note in notes] == ["encoding"]


def test_latin_1_without_anything_known() -> None:
    """Spanish in Latin-1 is Spanish, though a Japanese encoding could read it too."""
    cell = {"cell_type": "markdown", "metadata": {}, "source": "Añade la canción: ¿cuál? Él dirá."}
    data = json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4}, ensure_ascii=False).encode("latin-1")

    assert decode(data, "a.ipynb")[0].cells[0].text == cell["source"]


@pytest.mark.parametrize(
    ("data", "code"),
    [
        (b"", "empty"),
        (b"\xef\xbb\xbf \n", "empty"),
        (b"\x00" * 100, "empty"),
        (b"{", "truncated"),
        (b'{"cells": [{"source": "abc', "truncated"),
        (b"hello", "not-json"),
        (b"<html>", "not-json"),
        (b'{"cells": [}', "not-json"),
        (b"[]", "not-a-notebook"),
        (b"null", "not-a-notebook"),
        (b"5", "not-a-notebook"),
        (b'"text"', "not-a-notebook"),
        (b"{}", "not-a-notebook"),
        (b'{"cells": {}}', "not-a-notebook"),
        (b'{"cells": "many"}', "not-a-notebook"),
        (b'{"worksheets": [5]}', "not-a-notebook"),
        (b'{"cells": [' + b"[" * 5000 + b"]" * 5000 + b"]}", "too-deep"),
        (b'{"cells": ' + b'{"a":' * 100_000, "too-deep"),
        (b'{"cells": [' + b"1," * 3000 + b"1]}", "too-many-cells"),
    ],
)
def test_bytes_that_are_no_notebook(data: bytes, code: str) -> None:
    """Each is refused by its name, in both languages' catalogues."""
    with pytest.raises(Refused) as refused:
        decode(data, "a.ipynb")

    assert refused.value.note.code == code


def test_more_after_the_end_is_left_out(tmp_path: Path) -> None:
    """A file that a disk or a program went on writing is read up to the notebook's end."""
    text = json.dumps(reference_notebook(BENCH))

    assert said(taken(put(tmp_path, text + "\x00\x00\x1a"))) == []
    assert said(taken(put(tmp_path, text + "\n}}"))) == ["trailing"]


def test_half_of_a_pair_of_surrogates(tmp_path: Path) -> None:
    """What no encoding can write is replaced, so that the notebook can be saved."""

    def change(cells: list[Notebook]) -> None:
        cells[at(cells, "sol1")]["source"] += "\n# \ud83d"

    notebook = reference_notebook(BENCH)
    change(notebook["cells"])
    result = taken(put(tmp_path, json.dumps(notebook)))

    assert said(result) == ["characters"]
    json.dumps(result.notebook, ensure_ascii=False).encode("utf-8")


def test_size_is_looked_at_before_reading(tmp_path: Path) -> None:
    """A file over the limit is refused with both sizes, and one at the limit is read."""
    data = json.dumps(reference_notebook(BENCH)).encode()
    put(tmp_path, data)

    refusal = taken(tmp_path, notebook_bytes=len(data) - 1).refusal
    assert refusal is not None
    assert refusal.code == "too-large"
    assert taken(tmp_path, notebook_bytes=len(data)).refusal is None


@pytest.mark.parametrize("seed", range(5))
def test_damaged_files_never_raise(seed: int, tmp_path: Path) -> None:
    """Whatever is changed in a file, it is taken in or refused; what is taken in is valid and has the source's tests."""
    chance = random.Random(seed)
    good = reference_notebook(BENCH)
    sheet = BENCH.paper().notebooks[0]
    for _ in range(60):
        damaged = _damaged(copy.deepcopy(good), chance)
        data = json.dumps(damaged).encode()
        if chance.random() < 0.3:
            n = chance.randrange(len(data))
            data = data[:n] + bytes([chance.randrange(256)]) + data[n + chance.randrange(3) :]

        result = taken(put(tmp_path, data))

        assert (result.notebook is None) == (result.refusal is not None)
        if result.notebook is not None:
            nbformat.validate(result.notebook)
            known = [cell for cell in result.notebook.cells if "nbgrader" in cell.metadata]
            assert [cell.metadata.nbgrader.grade_id for cell in known] == KNOWN
            for cell, expected in zip(known, sheet.cells, strict=True):
                assert cell.metadata == expected.metadata
                assert not expected.kept_whole or cell.source == expected.text


def _damaged(value: Any, chance: random.Random) -> Any:
    odd = (None, True, -1, 1e308, "", "test1", [], {}, [[]], {"grade_id": "test3"}, "\ud800", ["a", 1])
    for _ in range(chance.randrange(1, 4)):
        here = value
        while isinstance(here, (dict, list)) and here and chance.random() < 0.8:
            key = chance.choice(list(here)) if isinstance(here, dict) else chance.randrange(len(here))
            if not isinstance(here[key], (dict, list)) or chance.random() < 0.3:
                here[key] = copy.deepcopy(chance.choice(odd))
                break
            here = here[key]
    return value


# Files


@POSIX
def test_what_is_no_regular_file_is_not_opened(tmp_path: Path) -> None:
    """A link, a pipe, a folder and a device are refused by name, without waiting."""
    import os

    (tmp_path / "real").write_text("x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    os.mkfifo(tmp_path / "pipe")

    for path, code in (
        (tmp_path / "link", "link"),
        (tmp_path / "pipe", "not-a-file"),
        (tmp_path, "folder"),
        (Path("/dev/zero"), "not-a-file"),
        (tmp_path / "gone", "unreadable"),
    ):
        with pytest.raises(Refused) as refused:
            read_regular(path, 10)
        assert refused.value.note.code == code
    assert read_regular(tmp_path / "real", 1) == b"x"


def test_files_beside_the_notebook(tmp_path: Path) -> None:
    """Data and modules of the student's go along; the teacher's, notebooks, noise and what is too large do not."""
    folder = source(tmp_path, nbgrader_cell("code", "t", "1", grade=True, points=1))
    (folder / "data.csv").write_text("teacher")
    (folder / "open.csv").write_text("teacher")
    paper = papers.prepare(folder, assignment="ps", language="")
    handed = tmp_path / "handed"
    for name in (
        "mine.py",
        "data/x.csv",
        "Data.csv",
        "open.csv",
        "one.ipynb",
        "timestamp.txt",
        "__MACOSX/x",
        "._mine.py",
    ):
        put(handed, b"student", name)
    put(handed, bytes(2000), "large.bin")
    put(handed, bytes(900), "a.bin")
    put(handed, bytes(900), "b.bin")

    taken_along, notes = extra_files(handed, paper, Limits(disk_bytes=3000, file_bytes=1000), ["open*"])

    assert [extra.name for extra in taken_along] == ["a.bin", "mine.py", "open.csv", "data/x.csv"]
    assert [(note.code, note.values["file"]) for note in notes] == [
        ("extra-too-large", "b.bin"),
        ("extra-too-large", "large.bin"),
    ]


@POSIX
def test_files_that_lead_elsewhere_are_left_out(tmp_path: Path) -> None:
    """Links, pipes, and names that another system reads as a path."""
    import os

    for name in ("..\\up.py", "C:evil.py", "con.txt", "new\nline.py", "fine.py"):
        put(tmp_path, b"", name)
    (tmp_path / "link").symlink_to("/etc/passwd")
    (tmp_path / "folder-link").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe")

    taken_along, notes = extra_files(tmp_path, BENCH.paper(), Limits())

    assert [extra.name for extra in taken_along] == ["fine.py"]
    assert sorted(note.code for note in notes) == [*["extra-link"] * 2, *["extra-name"] * 4, "extra-not-a-file"]
