"""The least that grading a class could cost: fork from the same warm process, run the same cells in one shell, no more.

`python -m bench.bare FOLDER WORKERS` takes a course that was graded, runs each of its restored notebooks so, and prints how many
seconds the class took. No jail, no examiner, no verdict: nothing that it brings is a grade.
"""

from __future__ import annotations

import contextlib
import gc
import json
import os
import sys
import tempfile
import time
from pathlib import Path

from autograder.nursery import scrubbed


def main(folder: Path, workers: int) -> None:
    """Run and print. Ends without Python's own end, as a nursery does."""
    notebooks = sorted(path.absolute() for path in folder.glob("autograded/*/*/*.ipynb"))
    os.environ.clear()
    os.environ.update(scrubbed())
    from autograder.warm import warm

    warm()
    gc.freeze()
    with tempfile.TemporaryDirectory() as where:
        os.chdir(where)
        began = time.perf_counter()
        running = 0
        for notebook in notebooks:
            if running == workers:
                os.wait()
                running -= 1
            if os.fork() == 0:
                with contextlib.suppress(BaseException):
                    _run(notebook)
                os._exit(0)
            running += 1
        for _ in range(running):
            os.wait()
        print(time.perf_counter() - began, flush=True)
        os.chdir("/")
    os._exit(0)  # as the nursery ends


def _run(notebook: Path) -> None:
    from autograder.shell import make_shell

    shell = make_shell(lambda message: None)
    for cell in json.loads(notebook.read_bytes())["cells"]:
        if cell["cell_type"] == "code":
            shell.run("".join(cell["source"]))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
