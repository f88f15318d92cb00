"""How an exception of a cell is told: which line of which cell, in the page's language, and the way that led there. Pure."""

from __future__ import annotations

import traceback
from typing import Any

from bentocola.messages import translate

__all__ = ["told"]

_CELL = "<ipython-input-"


def told(error: BaseException, language: str, cell: str) -> dict[str, Any]:
    """Return `{"said": …, "trace": …}`. `cell`: the name under which the cell that ran was compiled."""
    name = f"{type(error).__name__}: {_own_words(error)}".removesuffix(": ")
    if hasattr(error, "_render_traceback_"):
        return {"said": str(error), "trace": ""}  # the course's own say all in their sentence
    if isinstance(error, SyntaxError) and error.filename == cell:
        name = f"{type(error).__name__}: {error.msg}"  # without the name under which the cell was compiled
        line = (error.text or "").rstrip("\n")
        mark = " " * max(0, (error.offset or 1) - 1) + "^"
        said = translate(language, "Line {line}: Python cannot read this. {error}", line=error.lineno, error=name)
        return {"said": said, "trace": f"{line}\n{mark}" if line else ""}
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename.startswith(_CELL)]
    here = [frame for frame in frames if frame.filename == cell]
    if isinstance(error, SystemExit):
        return {"said": translate(language, "The cell ended itself with exit()."), "trace": ""}
    if not here:
        return {"said": name, "trace": ""}
    said = translate(language, "Line {line}: {error}", line=here[-1].lineno, error=name)
    lines = []
    for frame in frames:
        if frame.filename == cell:
            place = translate(language, "this cell, line {line}", line=frame.lineno)
        else:
            place = translate(language, "another cell, line {line}", line=frame.lineno)
        where = "" if frame.name == "<module>" else f", {frame.name}"
        lines += [f"{place}{where}:", f"    {(frame.line or '').strip()}"]
    return {"said": said, "trace": "\n".join(lines)}


def _own_words(error: BaseException) -> str:
    # A student's exception may be wrong itself.
    try:
        return str(error)
    except Exception as other:
        return f"({type(other).__name__})"
