"""A lab from its notebook: `lab = open_lab("idempotent-consumer", "es")`, then `lab.check(1)`, `lab.view()`, `lab.stop()`.

It starts the lab's server as a process of its own, or joins the one that is open, and asks it over HTTP. The server outlives the
kernel, which may be restarted, and ends with the JupyterLab that the notebook belongs to.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from functools import partial
from html import escape
from itertools import groupby
from pathlib import Path
from typing import Any

from bentocola.cli import asking, ready
from bentocola.cli.language import CommandError
from bentocola.errors import CourseError
from bentocola.labs import catalogue
from bentocola.labs.folder import Folder
from bentocola.labs.verdict import INDENT
from bentocola.messages import LANGUAGES, listed, translate
from bentocola.reasons import why

__all__ = ["Answer", "Lab", "LabError", "open_lab"]


_LIST = "list-style: none; padding-inline-start: var(--jp-code-padding, 0)"
"""In line with the text of the cells above and below."""
_WHOLE = "white-space: pre; overflow-wrap: normal"
_SCROLLS = f"margin: 0.25em 0 0.5em; padding: 0.25em 0; overflow-x: auto; {_WHOLE}"
"""How a command is set. JupyterLab and Notebook would break it."""


class LabError(CourseError, RuntimeError):
    """The lab could not be opened, or asked."""


class Answer:
    """What the lab says: sentences, each with a sign. Shown as a list in a notebook, printed as lines."""

    def __init__(self, lines: Sequence[tuple[str, str]], *, holds: bool = True) -> None:
        """`lines`: sign and sentence."""
        self._lines = list(lines)
        self.holds = holds

    def __repr__(self) -> str:
        return "\n".join(f"{sign} {sentence}".strip() for sign, sentence in self._lines)

    def _repr_html_(self) -> str:
        # The sign stands in the text, so that it is read, copied and printed with it.
        items = "".join(f"<li>{escape(sign)} {_as_html(sentence)}</li>" for sign, sentence in self._lines)
        return f'<ul role="list" style="{_LIST}">{items}</ul>'


def _as_html(sentence: str) -> str:
    """A sentence with its commands in blocks of their own: a command that breaks in a line cannot be typed as it stands."""
    blocks = []
    for is_command, lines in groupby(sentence.splitlines(), lambda line: line.startswith(INDENT)):
        if is_command:
            # A key can scroll what has the focus only.
            text = escape("\n".join(line.removeprefix(INDENT) for line in lines))
            blocks.append(
                f'<pre tabindex="0" translate="no" style="{_SCROLLS}"><code style="{_WHOLE}">{text}</code></pre>'
            )
        else:
            blocks.append("<br>".join(map(escape, lines)))
    return "".join(blocks)


class Lab:
    """An open lab. Each method asks its server; `check` and `cleanup_check` are to be the last line of a cell."""

    def __init__(self, found: ready.Ready, language: str) -> None:
        self._found = found
        self._say = partial(translate, language)
        self._language = language
        told = found.lab or {}
        self.name, self.prefix, self.folder = told["name"], told["prefix"], told["folder"]
        self.endpoint = found.endpoint

    def check(self, step: int | None = None) -> Answer:
        """Check one step, or all of them up to the first that is not done."""
        return self._verdict(self._ask("POST", "lab/check", {"step": step}), self._say("Proven: it holds."))

    def cleanup_check(self) -> Answer:
        """Check what the clean-up leaves."""
        told = self._ask("POST", "lab/cleanup-check")
        return self._verdict(told, self._say("All is clean: nothing is left to delete."))

    def reset(self) -> Answer:
        """Begin anew, with the student's own file as it is."""
        return Answer([("", sentence) for sentence in self._ask("POST", "lab/reset")["said"]])

    def stop(self) -> Answer:
        """End the lab's server. The folder stays."""
        try:
            with asking.until_closed(self.endpoint):
                said = self._ask("POST", "lab/stop")["said"]
        except asking.NotAnswered:
            raise self._not_answered() from None
        return Answer([("", sentence) for sentence in said])

    def exams(self) -> Answer:
        """Say which exams' tasks the lab practises."""
        return Answer([("", catalogue.exam_tasks(catalogue.read_lab(self.name), self._say))])

    def view(self) -> Any:
        """Return the AWS view of the lab's cloud."""
        from bentocola.views import AwsView

        return AwsView.served(self.endpoint, language=self._language, lab={"name": self.name, "prefix": self.prefix})

    def __repr__(self) -> str:
        return self._say(
            "The lab {prefix} is open. Your folder: {folder}\nIts cloud answers at {endpoint}",
            prefix=self.prefix,
            endpoint=self.endpoint,
            folder=self.folder,
        )

    def _ask(self, method: str, what: str, asked: dict[str, Any] | None = None) -> Any:
        try:
            return asking.ask(self.endpoint, method, what, asked)
        except asking.Refused as refused:
            raise LabError(str(refused)) from None
        except asking.NotAnswered:
            raise self._not_answered() from None

    def _not_answered(self) -> LabError:
        # Without the address: a notebook makes it a link, and takes what stands beside it for a part of it.
        said = self._say("The lab does not answer. Run its first cell again: open_lab(…)")
        return LabError(f"{said}\n{self._say('Nothing was checked, and nothing is proven by that.')}")

    def _verdict(self, told: dict[str, Any], it_holds: str) -> Answer:
        lines = [("✓", sentence) for sentence in told["proven"]] + [("✗", sentence) for sentence in told["missing"]]
        lines += [("→", sentence) for sentence in told["remarks"]]
        last = it_holds if told["holds"] else self._say("Not yet: do what the line with ✗ says, and check again.")
        return Answer([*lines, ("", last)], holds=told["holds"])


def open_lab(name: str, edition: str, prefix: str | None = None) -> Lab:
    """Open a lab in a folder of its name beside the notebook, or join it where it is open. `edition` is "es" or "ja".

    Raises LabError, with the words of the lab's server where it could not begin.
    """
    language = edition if edition in LANGUAGES else LANGUAGES[0]
    say = partial(translate, language)
    known = catalogue.labs()
    if name not in known or edition not in LANGUAGES:
        raise LabError(
            say(
                "open_lab() expects one of {labs} and one of {editions}; it got {name!r} and {edition!r}.",
                labs=listed(known),
                editions=listed(LANGUAGES),
                name=name,
                edition=edition,
            )
        )
    folder = Folder(Path.cwd() / name)
    was_open_before = bool(folder.settings)
    found = _open_in(folder, prefix)
    if found is None:
        found = _start(folder, name, language, prefix, say)
        if was_open_before:
            print(
                say("The lab's cloud is new. Your code is still there: begin again with step 1, and upload it again.")
            )
    return Lab(found, language)


def _open_in(folder: Folder, prefix: str | None) -> ready.Ready | None:
    """Return the lab that is open in the folder."""
    try:
        found = ready.read(folder.ready_file)
    except CommandError:
        return None
    is_it = found.lab is not None and prefix in (None, found.lab["prefix"])
    return found if is_it and found.answers else None


def _start(folder: Folder, name: str, language: str, prefix: str | None, say: Any) -> ready.Ready:
    """Start the lab's server, and return once it answers. Raises LabError."""
    command = [sys.executable, "-m", "bentocola.cli", "lab", "start", name, "--language", language]
    command += ["--dir", str(folder.path)]
    if prefix is not None:
        command += ["--prefix", prefix]
    if owner := os.environ.get("JPY_PARENT_PID"):  # of JupyterLab, in each of its kernels
        command += ["--while", owner]
    apart: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        apart = {"creationflags": subprocess.DETACHED_PROCESS | subprocess.CREATE_NEW_PROCESS_GROUP}
    try:
        folder.words_file.parent.mkdir(parents=True, exist_ok=True)
        with folder.words_file.open("wb") as words:
            process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=words, **apart)
    except OSError as error:
        raise LabError(
            say("The lab's folder {path} cannot be written: {why}.", path=folder.path, why=why(error))
        ) from None
    assert process.stdout is not None
    with process.stdout:
        answers = process.stdout.readline() != b""  # it says what to do once it answers, and nothing before
    if answers:
        return ready.read(folder.ready_file)
    process.wait()
    raise LabError(folder.words_file.read_text(encoding="utf-8", errors="replace").strip() or str(process.returncode))
