"""Faults of a submission's file, not of its code. Each takes the notebook as JSON, the path where it belongs and a canary.

It changes the notebook and returns None, and the caller writes it; or it puts something at that path itself, and returns True.
"""

from __future__ import annotations

import codecs
import copy
import json
import os
import unicodedata
from pathlib import Path
from typing import Any

Notebook = dict[str, Any]


def _text(notebook: Notebook) -> str:
    return json.dumps(notebook, ensure_ascii=False, indent=1)


def _cell(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    cells: list[dict[str, Any]] = notebook["cells"]
    return next(cell for cell in cells if cell["metadata"].get("nbgrader", {}).get("grade_id") == grade_id)


def _settings(notebook: Notebook, grade_id: str) -> dict[str, Any]:
    settings: dict[str, Any] = _cell(notebook, grade_id)["metadata"]["nbgrader"]
    return settings


def _tests(notebook: Notebook) -> list[dict[str, Any]]:
    return [cell for cell in notebook["cells"] if cell["metadata"].get("nbgrader", {}).get("grade")]


def _escape(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeEncodeError)
    units = error.object[error.start : error.end].encode("utf-16-be").hex()
    return "".join(f"\\u{units[n : n + 4]}" for n in range(0, len(units), 4)), error.end


codecs.register_error("json-escape", _escape)


# Encodings and formats


def latin_1(notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_bytes(_text(notebook).encode("latin-1", "json-escape"))
    return True


def shift_jis(notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_bytes(_text(notebook).encode("cp932", "json-escape"))
    return True


def utf_16(notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_bytes(_text(notebook).encode("utf-16"))
    return True


def utf_16_without_mark(notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_bytes(_text(notebook).encode("utf-16-le"))
    return True


def half_characters(notebook: Notebook, file: Path, _canary: object) -> bool:
    """Cut a character in two, in a comment, as a careless program does."""
    data = _text(notebook).encode()
    file.write_bytes(data.replace(b"# a\xc3\xb1o", b"# a\xc3o", 1))
    return True


def bom(notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_bytes(codecs.BOM_UTF8 + _text(notebook).encode())
    return True


def crlf(notebook: Notebook, file: Path, _canary: object) -> bool:
    for cell in notebook["cells"]:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    file.write_bytes(_text(notebook).replace("\n", "\r\n").encode())
    return True


def nbformat_3(notebook: Notebook, file: Path, _canary: object) -> bool:
    cells = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            old = {
                "cell_type": "code",
                "collapsed": False,
                "input": cell["source"],
                "language": "python",
                "outputs": [],
            }
        elif cell["source"].startswith("# ") and "\n" not in cell["source"]:
            old = {"cell_type": "heading", "level": 1, "source": cell["source"][2:]}
        else:
            old = {"cell_type": "markdown", "source": cell["source"]}
        cells.append(old | {"metadata": cell["metadata"]})
    old_notebook = {"metadata": {"name": "pipeline"}, "nbformat": 3, "nbformat_minor": 0}
    file.write_text(json.dumps(old_notebook | {"worksheets": [{"cells": cells, "metadata": {}}]}), encoding="utf-8")
    return True


def nbformat_5(notebook: Notebook, _file: Path, _canary: object) -> None:
    notebook.update(nbformat=5, nbformat_minor=0)


def future_minor(notebook: Notebook, _file: Path, _canary: object) -> None:
    notebook["nbformat_minor"] = 99
    for cell in notebook["cells"]:
        cell["of_the_future"] = {"a": [1]}


def no_kernelspec(notebook: Notebook, _file: Path, _canary: object) -> None:
    notebook["metadata"].pop("kernelspec")


def foreign_kernelspec(notebook: Notebook, _file: Path, _canary: object) -> None:
    notebook["metadata"] = {
        "kernelspec": {"display_name": "Julia 1.10", "language": "julia", "name": "julia-1.10"},
        "language_info": {"name": "julia"},
    }


def odd_numbers(notebook: Notebook, file: Path, _canary: object) -> bool:
    text = _text(notebook).replace('"nbformat_minor": 5', '"nbformat_minor": 5, "x": NaN, "y": ' + "9" * 6000)
    file.write_text(text.replace('"execution_count": null', '"execution_count": Infinity'), encoding="utf-8")
    return True


def odd_cells(notebook: Notebook, _file: Path, _canary: object) -> None:
    """Add cells of forms that no program writes, and one of the student's without an id."""
    strange: list[Any] = [
        None,
        3,
        "text",
        {"cell_type": "code", "source": None, "metadata": None},
        {"cell_type": "code", "source": 5, "metadata": []},
        {"cell_type": "video", "source": ["a", 1, "b"], "metadata": {"nbgrader": "yes"}},
        {"cell_type": ["code"], "source": "x", "metadata": {"nbgrader": {"grade_id": ["test1"]}, "tags": "all"}},
        {"cell_type": "code", "id": 7, "source": "x = 1", "metadata": {}},
        {"cell_type": "code", "id": "no id!", "source": "y = 1", "metadata": {}},
    ]
    notebook["cells"] += strange


# Files that are no notebook


def empty(_notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_bytes(b"")
    return True


def truncated(notebook: Notebook, file: Path, _canary: object) -> bool:
    data = _text(notebook).encode()
    file.write_bytes(data[: len(data) // 2])
    return True


def a_list(notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_text(json.dumps(notebook["cells"]), encoding="utf-8")
    return True


def a_word_document(_notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_bytes(b"PK\x03\x04\x14\x00\x06\x00\x08\x00\x00\x00!\x00" + bytes(range(256)) * 4)
    return True


def nested(_notebook: Notebook, file: Path, _canary: object) -> bool:
    file.write_text('{"cells": ' + "[" * 200_000 + "]" * 200_000 + "}", encoding="utf-8")
    return True


def huge(notebook: Notebook, file: Path, _canary: object) -> bool:
    """100 MB, of which nearly all is a hole: it takes no room on the disk."""
    file.write_text(_text(notebook), encoding="utf-8")
    os.truncate(file, 100 << 20)
    return True


def link(_notebook: Notebook, file: Path, canary: Any) -> bool:
    file.symlink_to(canary.course / "source" / "ps1" / "pipeline.ipynb")
    return True


def pipe(_notebook: Notebook, file: Path, _canary: object) -> bool:
    os.mkfifo(file)
    return True


def folder(notebook: Notebook, file: Path, _canary: object) -> bool:
    file.mkdir()
    (file / "notes.txt").write_text("The notebook is in here?", encoding="utf-8")
    return True


# Names


def _named(notebook: Notebook, file: Path, name: str) -> bool:
    target = file.parent / name
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(_text(notebook), encoding="utf-8")
    return True


def emoji_name(notebook: Notebook, file: Path, _canary: object) -> bool:
    return _named(notebook, file, "課題🚀 entrega final.ipynb")


def nfd_name(notebook: Notebook, file: Path, _canary: object) -> bool:
    return _named(notebook, file, unicodedata.normalize("NFD", "Pipeline (versión de Núñez) パイプ.ipynb"))


def numbered_name(notebook: Notebook, file: Path, _canary: object) -> bool:
    return _named(notebook, file, "Copia de pipeline (1).ipynb")


def homoglyph_name(notebook: Notebook, file: Path, _canary: object) -> bool:
    return _named(notebook, file, "p\N{CYRILLIC SMALL LETTER BYELORUSSIAN-UKRAINIAN I}peline.ipynb")


def escaping_name(notebook: Notebook, file: Path, _canary: object) -> bool:
    (file.parent / "..\\..\\evil.py").write_text("raise SystemExit", encoding="utf-8")
    return _named(notebook, file, "..\\..\\..\\pipeline.ipynb")


def nested_folder(notebook: Notebook, file: Path, _canary: object) -> bool:
    return _named(notebook, file, "entrega/ps1/pipeline.ipynb")


def blank_and_copy(notebook: Notebook, file: Path, _canary: object) -> bool:
    """Leave the released file as it was, and the work in a copy of it, as a browser saves it."""
    blank = copy.deepcopy(notebook)
    stubs = {"sol1": "event_to_messages(event)", "sol2": "send(messages)", "sol3": "handler(event, context=None)"}
    docs = {grade_id: _cell(blank, grade_id)["source"].split("\n")[1] for grade_id in stubs}
    for grade_id, head in stubs.items():
        text = f"def {head}:\n{docs[grade_id]}\n    # YOUR CODE HERE\n    raise NotImplementedError()"
        _cell(blank, grade_id)["source"] = text
    file.write_text(_text(blank), encoding="utf-8")
    return _named(notebook, file, "pipeline(1).ipynb")


# The teacher's cells


def points_edited(notebook: Notebook, _file: Path, _canary: object) -> None:
    _settings(notebook, "test1")["points"] = 500
    _settings(notebook, "test3")["points"] = 0.5


def flags_edited(notebook: Notebook, _file: Path, _canary: object) -> None:
    _settings(notebook, "test3").update(grade=False, solution=True, locked=False)
    _settings(notebook, "test1").update(task=True)


def skipped_by_tag(notebook: Notebook, _file: Path, _canary: object) -> None:
    for cell in _tests(notebook):
        cell["metadata"]["tags"] = ["skip-execution", "raises-exception"]


def outputs_filled_in(notebook: Notebook, _file: Path, _canary: object) -> None:
    for cell in _tests(notebook):
        points = cell["metadata"]["nbgrader"]["points"]
        data = {"data": {"text/plain": str(points)}, "metadata": {}, "output_type": "execute_result"}
        cell.update(execution_count=1, outputs=[data | {"execution_count": 1}])


def tests_deleted(notebook: Notebook, _file: Path, _canary: object) -> None:
    notebook["cells"] = [cell for cell in notebook["cells"] if cell not in _tests(notebook)]


def tests_edited(notebook: Notebook, _file: Path, _canary: object) -> None:
    for cell in _tests(notebook):
        cell["source"] = "pass"


def tests_retyped(notebook: Notebook, _file: Path, _canary: object) -> None:
    for cell, kind in zip(_tests(notebook), ("markdown", "raw", "markdown"), strict=True):
        cell["cell_type"] = kind
        del cell["outputs"], cell["execution_count"]


def tests_first(notebook: Notebook, _file: Path, _canary: object) -> None:
    """Move the tests before the answers."""
    tests = _tests(notebook)
    rest = [cell for cell in notebook["cells"] if cell not in tests]
    notebook["cells"] = rest[:2] + tests + rest[2:]


def homoglyph_ids(notebook: Notebook, _file: Path, _canary: object) -> None:
    _settings(notebook, "test1")["grade_id"] = "t\N{CYRILLIC SMALL LETTER IE}st1"
    _settings(notebook, "sol3")["grade_id"] = "s\N{CYRILLIC SMALL LETTER O}l3"


def answer_retyped(notebook: Notebook, _file: Path, _canary: object) -> None:
    cell = _cell(notebook, "sol2")
    cell["cell_type"] = "markdown"
    del cell["outputs"], cell["execution_count"]


def metadata_stripped(notebook: Notebook, _file: Path, _canary: object) -> None:
    """Leave of a cell what another program leaves: neither ids nor nbgrader's settings."""
    for number, cell in enumerate(notebook["cells"]):
        cell["metadata"] = {"id": f"aBcDeF{number}", "outputId": "x"}
        cell.pop("id")
    notebook["metadata"] = {"colab": {"provenance": []}, "kernelspec": {"name": "python3", "display_name": "Python 3"}}


def duplicate_answer(notebook: Notebook, _file: Path, _canary: object) -> None:
    cells = notebook["cells"]
    first = copy.deepcopy(_cell(notebook, "sol2"))
    first["source"] = "def send(messages):\n    raise RuntimeError('the first try')"
    cells.insert(cells.index(_cell(notebook, "sol2")), first)


def split_answer(notebook: Notebook, _file: Path, _canary: object) -> None:
    """Split an answer in two, as JupyterLab does: both halves keep nbgrader's settings."""
    cells = notebook["cells"]
    second = _cell(notebook, "sol1")
    first = copy.deepcopy(second)
    first.update(source="from urllib.parse import unquote_plus as decoded", id="first-half")
    second["source"] = (
        "def event_to_messages(event):\n"
        "    records = [r['s3'] for r in event['Records'] if r['eventName'].startswith('ObjectCreated')]\n"
        "    return [json.dumps({'bucket': s3['bucket']['name'], 'key': decoded(s3['object']['key'])}) for s3 in records]"
    )
    cells.insert(cells.index(second), first)


def stub_copied(notebook: Notebook, _file: Path, _canary: object) -> None:
    """Leave a copy of the released stub behind the answer."""
    cells = notebook["cells"]
    stub = copy.deepcopy(_cell(notebook, "sol3"))
    head, doc = stub["source"].split("\n")[:2]
    stub["source"] = f"{head}\n{doc}\n    # YOUR CODE HERE\n    raise NotImplementedError()"
    cells.insert(cells.index(_cell(notebook, "sol3")) + 1, stub)


def a_test_copied(notebook: Notebook, _file: Path, _canary: object) -> None:
    cells = notebook["cells"]
    cells.insert(cells.index(_cell(notebook, "test3")), copy.deepcopy(_cell(notebook, "test3")))


def answers_deleted(notebook: Notebook, _file: Path, _canary: object) -> None:
    """Delete the answer cells, and write all of it in one cell of one's own at the top."""
    answers = [_cell(notebook, grade_id) for grade_id in ("sol1", "sol2", "sol3")]
    text = "\n\n".join(cell["source"] for cell in answers)
    rest = [cell for cell in notebook["cells"] if cell not in answers]
    own = {"cell_type": "code", "id": "mine", "metadata": {}, "source": text, "execution_count": None, "outputs": []}
    notebook["cells"] = [*rest[:2], own, *rest[2:]]
