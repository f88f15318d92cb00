"""The paper: an assignment's source, prepared once, as the rooms read it: JSON on disk. Reading one imports nothing heavy.

It holds hidden tests and solutions. Of it, a candidate may see the text of locked cells and of tests marked `together` only.
`prepare` runs nbgrader's own preprocessors, with the course's settings, and imports nbgrader when it is called.
"""

from __future__ import annotations

import copy
import dataclasses
import hashlib
import json
import os
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from pathlib import Path
from typing import Any

from autograder.sheet import Paper, PaperCell, PaperError, PaperNotebook, Place

__all__ = [
    "SCHEMA",
    "Paper",
    "PaperCell",
    "PaperError",
    "PaperNotebook",
    "Place",
    "fingerprint",
    "prepare",
    "read",
    "source_files",
    "write",
]

SCHEMA = 1
# What nbgrader leaves out of a release, and what a computer leaves beside a notebook.
_LEFT_OUT = frozenset({".ipynb_checkpoints", "__pycache__", ".pytest_cache", ".DS_Store", "Thumbs.db", "desktop.ini"})
# The sections of nbgrader's configuration that say what a release is.
_RELEASING = (
    "ClearHiddenTests",
    "ClearMarkScheme",
    "ClearSolutions",
    "GenerateAssignment",
    "IncludeHeaderFooter",
    "InstantiateTests",
    "LockCells",
)


def prepare(
    source_folder: Path,
    *,
    assignment: str,
    language: str,
    together: Mapping[str, AbstractSet[str]] | None = None,
    clear_settings: Any = None,
) -> Paper:
    """Return the paper of an assignment's source folder.

    `together` names, by notebook, the test cells that cannot run apart. `clear_settings` is the course's traitlets Config (None:
    nbgrader's defaults). Raises PaperError for a source that nbgrader itself would not release.
    """
    from autograder.nbgrader_imports import lean

    lean()
    from autograder import release

    apart: Mapping[str, AbstractSet[str]] = together or {}
    settings = _with_whole_paths(clear_settings, source_folder)
    names = _notebook_names(source_folder)
    notebooks = tuple(
        release.notebook_of(source_folder / f"{name}.ipynb", settings, apart.get(name, frozenset())) for name in names
    )
    paper = Paper(
        assignment,
        language,
        notebooks,
        source_files(source_folder),
        made_from=fingerprint(source_folder, together=apart, clear_settings=clear_settings),
    )
    said = dataclasses.asdict(paper)
    del said["made_from"]
    digest = hashlib.sha256(_json(said))
    for name in paper.files:
        digest.update(hashlib.sha256((source_folder / name).read_bytes()).digest())
    return dataclasses.replace(paper, digest=digest.hexdigest())


def fingerprint(
    source_folder: Path, *, together: Mapping[str, AbstractSet[str]] | None = None, clear_settings: Any = None
) -> str:
    """Return a SHA-256 of what a paper is prepared from: a paper with the same `made_from` need not be prepared again.

    It is quick, and imports nothing of nbgrader.
    """
    settings = {
        section: {name: repr(value) for name, value in sorted(dict(clear_settings[section]).items())}
        for section in _RELEASING
        if clear_settings and section in clear_settings
    }
    made = hashlib.sha256(_json({"schema": SCHEMA, "settings": settings}))
    made.update(_json({name: sorted(ids) for name, ids in sorted((together or {}).items())}))
    for path in _header_and_footer(clear_settings, source_folder).values():
        made.update(hashlib.sha256(path.read_bytes() if path.is_file() else b"").digest())
    for name in (*(f"{name}.ipynb" for name in _notebook_names(source_folder)), *source_files(source_folder)):
        made.update(_json(name) + hashlib.sha256((source_folder / name).read_bytes()).digest())
    return made.hexdigest()


def _header_and_footer(settings: Any, source_folder: Path) -> dict[str, Path]:
    """Return the notebooks that the course puts before and after each one. nbgrader's paths are relative to the course folder."""
    section = dict(settings["IncludeHeaderFooter"]) if settings and "IncludeHeaderFooter" in settings else {}
    named = {
        name: section[name] for name in ("header", "footer") if isinstance(section.get(name), str) and section[name]
    }
    course = source_folder.resolve().parent.parent
    return {name: Path(value) if Path(value).exists() else course / value for name, value in named.items()}


def _with_whole_paths(settings: Any, source_folder: Path) -> Any:
    made = copy.deepcopy(settings)
    for name, path in _header_and_footer(settings, source_folder).items():
        made["IncludeHeaderFooter"][name] = str(path)
    return made


def source_files(source_folder: Path) -> tuple[str, ...]:
    """Return what lies beside a folder's notebooks, as relative paths with "/". Links and caches are left out."""
    found: list[str] = []
    for folder, folders, files in os.walk(source_folder):
        folders[:] = sorted(name for name in folders if name not in _LEFT_OUT and not Path(folder, name).is_symlink())
        here = Path(folder)
        found += (
            (here / name).relative_to(source_folder).as_posix()
            for name in files
            if name not in _LEFT_OUT
            and not name.endswith(".pyc")
            and not (here == source_folder and name.endswith(".ipynb"))
            and not (here / name).is_symlink()
            and (here / name).is_file()
        )
    return tuple(sorted(found))


def write(paper: Paper, path: Path) -> None:
    """Put a paper on disk as JSON, readable for this user only. It is whole or not there."""
    data = _json({"schema": SCHEMA, **dataclasses.asdict(paper)})
    unfinished = path.with_name(f".{path.name}.{os.getpid()}")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "wb") as stream:
        stream.write(data)
        stream.flush()
        os.fsync(stream.fileno())
    os.replace(unfinished, path)


def read(path: Path) -> Paper:
    """Return the paper that `write` put there. Raises PaperError for anything else."""
    try:
        data = json.loads(path.read_bytes())
        schema = data.pop("schema")
        if schema != SCHEMA:
            raise PaperError(f"Expected a paper of schema {SCHEMA} in {path}, got {schema!r}: prepare it again.")
        notebooks = tuple(_notebook(notebook) for notebook in data.pop("notebooks"))
        return Paper(**{**data, "notebooks": notebooks, "files": tuple(data["files"])})
    except PaperError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise PaperError(f"{path} holds no prepared assignment ({error}): prepare it again.") from error


def _notebook(data: dict[str, Any]) -> PaperNotebook:
    cells = tuple(PaperCell(**{**cell, "hidden": tuple((a, b) for a, b in cell["hidden"])}) for cell in data["cells"])
    layout = tuple(Place(**place) for place in data["layout"])
    return PaperNotebook(**{**data, "cells": cells, "layout": layout, "modules": tuple(data["modules"])})


def _notebook_names(source_folder: Path) -> tuple[str, ...]:
    if not source_folder.is_dir():
        raise PaperError(f"Expected an assignment's source folder at {source_folder}: there is none. Check the name.")
    names = tuple(sorted(path.stem for path in source_folder.glob("*.ipynb") if path.is_file()))
    if not names:
        raise PaperError(f"Expected at least one notebook (.ipynb) in {source_folder}: there is none.")
    return names


def _json(value: object) -> bytes:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")).encode("utf-8", "surrogatepass")
