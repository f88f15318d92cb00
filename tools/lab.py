"""Opens the course: makes the student's copies in `course/` and serves them in JupyterLab, to this machine only.

`make lab` calls it; without make, `python -m tools.lab` does the same. `BENTOCOLA_OPEN=0` opens no browser.
"""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Mapping
from pathlib import Path

from jupyterlab.labapp import LabApp

from tools import student_copies

OPENING = (
    "El curso se abre en el navegador. Para cerrarlo, pulsa Ctrl-C aquí.",
    "講座をブラウザーで開きます。終わるときは、この画面でCtrl-Cを押してください。",
)
SERVING = (
    "Abre en el navegador la última dirección de abajo. Para cerrar el curso, pulsa Ctrl-C aquí.",
    "下のいちばん最後のアドレスを、ブラウザーで開いてください。終わるときは、この画面でCtrl-Cを押してください。",
)
# What only a student's JupyterLab does: it leaves out nbgrader's menu, which is for teachers.
STUDENT_SETTINGS = student_copies.ROOT / "jupyterlab-settings" / "student"


def arguments(course: Path, *, opens: bool, is_root: bool) -> list[str]:
    """Return what JupyterLab is started with to serve `course`; it chooses the port and the token itself."""
    chosen = [
        f"--ServerApp.root_dir={course}",
        "--LabApp.default_url=/lab/tree/start.md",
        "--ServerApp.ip=127.0.0.1",
        # Ctrl-C ends it, without a question.
        "--ServerApp.answer_yes=True",
        "--Application.log_level=WARN",
    ]
    if not opens:
        chosen.append("--no-browser")
    if is_root:
        # JupyterLab refuses to run as root unless it is told to; in a container there is often nobody else.
        chosen.append("--allow-root")
    return chosen


def student_environment(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that a student's JupyterLab runs with, given this machine's."""
    paths = [str(STUDENT_SETTINGS), *filter(None, [environment.get("JUPYTER_CONFIG_PATH")])]
    return {**environment, "JUPYTER_CONFIG_PATH": os.pathsep.join(paths)}


def launch(options: list[str]) -> int:
    """Run JupyterLab until it is told to end, and return 0 then.

    A worker thread of its server can be left, waiting for work from a loop that has ended. Python would wait for that thread
    for ever, and a person would have to press Ctrl-C again: so this process then ends without it.
    """
    LabApp.launch_instance(options)
    if any(one is not threading.main_thread() and not one.daemon for one in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    return 0


def main() -> int:
    """Make the copies, serve them until Ctrl-C, and return the exit status."""
    try:
        status = student_copies.main()
    except KeyboardInterrupt:
        # What a shell reports for Ctrl-C. The copies are whole, as always.
        return 130
    if status != 0:
        return status
    opens = os.environ.get("BENTOCOLA_OPEN") != "0"
    print("\n".join(OPENING if opens else SERVING), flush=True)
    os.environ.update(student_environment(os.environ))
    # Windows has no user ids, and no root.
    is_root = hasattr(os, "geteuid") and os.geteuid() == 0
    return launch(arguments(student_copies.ROOT / "course", opens=opens, is_root=is_root))


if __name__ == "__main__":
    sys.exit(main())
