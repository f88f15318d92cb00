"""A notebook's code cells run in this process, as in a fresh kernel but in a fraction of its time."""

from __future__ import annotations

import ast
import io
import linecache
import logging
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any

from bentocola.checks.result import Result


@dataclass(frozen=True)
class Outcome:
    """What one cell wrote and raised, and the value of its last line: None where that is no expression."""

    stdout: str
    stderr: str
    error: BaseException | None
    value: Any = None

    @property
    def failed(self) -> bool:
        """Whether stock nbgrader would give nothing: it takes any text on stderr for a failure, and a number for points."""
        return self.error is not None or bool(self.stderr) or (isinstance(self.value, Result) and not self.value.earned)


class Session:
    """One namespace in which cells run one after another. Made by `session`."""

    def __init__(self) -> None:
        self.names: dict[str, Any] = {"__name__": "__main__", "__builtins__": __builtins__}
        self._cells = 0
        # The same two streams for all cells: a log handler made in one cell still writes to it in the next.
        self._stdout, self._stderr = io.StringIO(), io.StringIO()

    def run(self, source: str) -> Outcome:
        """Run a cell, and let none of what it writes or raises out."""
        self._cells += 1
        # The name, as IPython gives one: by it the course finds the student's own lines.
        name = f"<ipython-input-{id(self)}-{self._cells}>"
        linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
        error: BaseException | None = None
        value = None
        with redirect_stdout(self._stdout), redirect_stderr(self._stderr):
            try:
                cell = ast.parse(source, name)
                last = cell.body.pop() if cell.body and isinstance(cell.body[-1], ast.Expr) else None
                exec(compile(cell, name, "exec"), self.names)
                if isinstance(last, ast.Expr):
                    value = eval(compile(ast.Expression(last.value), name, "eval"), self.names)
            except (Exception, SystemExit) as raised:  # a cell may raise anything; that is what is looked at
                error = raised
        return Outcome(_taken(self._stdout), _taken(self._stderr), error, value)

    def close(self) -> None:
        """End the local cloud that a cell started, if one did."""
        cloud = self.names.get("cloud")
        if hasattr(cloud, "stop"):
            cloud.stop()


def _taken(stream: io.StringIO) -> str:
    """Return what was written, and empty the stream."""
    text = stream.getvalue()
    stream.seek(0)
    stream.truncate()
    return text


@contextmanager
def session() -> Iterator[Session]:
    """Yield a session without AWS settings and log handlers; put this process's own back afterwards."""
    environment, path = dict(os.environ), list(sys.path)
    handlers, level = list(logging.root.handlers), logging.root.level
    for name in [name for name in os.environ if name.startswith("AWS_")]:
        del os.environ[name]
    logging.root.handlers.clear()
    running = Session()
    try:
        yield running
    finally:
        running.close()
        logging.root.handlers[:] = handlers
        logging.root.setLevel(level)
        sys.path[:] = path
        os.environ.clear()
        os.environ.update(environment)
