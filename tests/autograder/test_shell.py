"""Cells in the shell of a room put out what they put out in stock Jupyter.

The shell takes over its process's descriptors, so the cells of a module run in one process of their own, in this order.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

pytestmark = pytest.mark.skipif(
    sys.platform == "win32", reason="Descriptors 1 and 2 are relayed on POSIX systems only."
)

_RUN = """
import json, os, sys
dumps, loads = json.JSONEncoder(default=str).encode, json.JSONDecoder().decode
pipe = os.fdopen(os.dup(1), "w")
from autograder.records import Limits
from autograder.shell import make_shell, warm
import threading
warm()
assert threading.active_count() == 1, threading.enumerate()
said = []
shell = make_shell(said.append, Limits(output_lines=100, output_bytes=20_000))
def shown(value):
    try:
        return repr(value)
    except ValueError:
        return "no repr"
for line in sys.stdin:
    ran = shell.run(loads(line))
    fields = [ran.status, ran.ename, ran.evalue, list(ran.traceback), ran.execution_count]
    fields += [shown(ran.value), shown(ran.error), ran.payload]
    pipe.write(dumps([fields, said]) + "\\n")
    pipe.flush()
    said.clear()
os._exit(0)
"""


@dataclass
class Seen:
    """What came of a cell: its reply, and its messages."""

    status: str
    ename: str
    evalue: str
    traceback: list[str]
    count: int
    value: str
    error: str
    payload: list[Any]
    messages: list[dict[str, Any]]

    def of(self, kind: str) -> list[dict[str, Any]]:
        return [message["content"] for message in self.messages if message["msg_type"] == kind]

    @property
    def out(self) -> str:
        return "".join(content["text"] for content in self.of("stream") if content["name"] == "stdout")

    @property
    def err(self) -> str:
        return "".join(content["text"] for content in self.of("stream") if content["name"] == "stderr")

    @property
    def kinds(self) -> list[str]:
        return [message["msg_type"] for message in self.messages]

    @property
    def shown(self) -> str:
        """The traceback without its colours."""
        return re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(self.traceback))


def run(*cells: str, home: Path | None = None) -> list[Seen]:
    """Run cells, one after the other, in a new process."""
    given = "".join(json.dumps(cell) + "\n" for cell in cells)
    environ = {name: value for name, value in os.environ.items() if name not in ("MPLBACKEND", "PYTEST_CURRENT_TEST")}
    if home is not None:
        environ["HOME"] = str(home)
    command = [sys.executable, "-c", _RUN]
    done = subprocess.run(command, input=given, env=environ, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(cells), done.stderr
    return [Seen(*fields, messages) for fields, messages in answers]  # type: ignore[misc]


CELLS = {
    "print": 'print("a"); import sys; print("b", file=sys.stderr); print("c")',
    "result": "6 * 7",
    "history": "(_, Out[2], In[2])",
    "semicolon": "8;",
    "error": "def fall():\n    1 / 0\nfall()",
    "syntax": "def f(",
    "exit": "import sys\nsys.exit(3)",
    "input": "input('name?')",
    "shell command": "!echo from a child",
    "bash": "%%bash\necho out\necho err >&2",
    "descriptors": 'import os\nprint("one")\nos.system("echo two; echo bad >&2")\nprint("three")',
    "fork": 'pid = os.fork()\nif not pid:\n    print("child")\n    os._exit(0)\nos.waitpid(pid, 0)\nprint("parent")',
    "await": 'import asyncio\nawait asyncio.sleep(0)\nprint("awaited")\n5',
    "loop": "asyncio.get_running_loop().is_running()",
    "task": 'async def say(): print("said")\ntask = asyncio.create_task(say())',
    "its end": 'await task\nprint("after")',
    "display": (
        "from datetime import date\nfrom IPython.display import HTML, clear_output, display\n"
        'shown = display(HTML("<b>x</b>"), display_id="one")\n'
        'shown.update(2)\nclear_output(wait=True)\ndisplay({"application/json": {"day": date(2020, 1, 2)}}, raw=True)'
    ),
    "capture": "%%capture caught\nprint('hidden'); display(3)",
    "captured": "(caught.stdout, caught.outputs[0].data)",
    "help": "len?",
    "warnings": 'import logging, warnings\nwarnings.warn("careful")\nlogging.warning("logged")',
    "comm": (
        'from comm import create_comm\nopened = create_comm(target_name="t", data={"a": 1}, buffers=[b"xy"])\n'
        'opened.send({"b": 2})'
    ),
    "flood": "for n in range(100_000): print(n)",
    "after the flood": 'print("again")',
    "one long line": 'print("é" * 30_000)',
    "interrupt": "import signal\nos.kill(os.getpid(), signal.SIGINT)\nwhile True: pass",
    "interrupted await": "os.kill(os.getpid(), signal.SIGINT)\nawait asyncio.sleep(60)",
    "stopped loop": "asyncio.get_running_loop().stop()\nawait asyncio.sleep(0)\n'went on'",
    "breakpoint": "breakpoint()\n'went on'",
    "debugger": "%debug",
    "a task that exits": "async def leave(): raise SystemExit(5)\nawait asyncio.gather(leave())",
    "no repr": "class Bad:\n    def __repr__(self): raise ValueError('no')\nBad()",
    "json replaced": (
        "import json\njson.dumps = json.loads = None\nos.getpid = lambda: 1\ndisplay({'text/plain': 'still'}, raw=True)"
    ),
    "handler replaced": "signal.signal(signal.SIGINT, signal.SIG_IGN)",
    "interrupt again": "signal.raise_signal(signal.SIGINT)",
    "stdout replaced": "sys.stdout = open(os.devnull, 'w')\nprint('lost')",
    "and kept": "print('lost as well')\n1 / 0",
}


@pytest.fixture(scope="module")
def seen() -> dict[str, Seen]:
    return dict(zip(CELLS, run(*CELLS.values()), strict=True))


def test_streams_come_one_after_the_other_as_in_stock(seen: dict[str, Seen]) -> None:
    assert [(one["name"], one["text"]) for one in seen["print"].of("stream")] == [
        ("stdout", "a\nc\n"),
        ("stderr", "b\n"),
    ]


def test_a_result_has_its_number_and_is_the_value_itself(seen: dict[str, Seen]) -> None:
    assert seen["result"].of("execute_result") == [{"data": {"text/plain": "42"}, "metadata": {}, "execution_count": 2}]
    assert (seen["result"].value, seen["result"].count) == ("42", 2)


def test_the_history_is_as_in_a_notebook(seen: dict[str, Seen]) -> None:
    assert seen["history"].value == "(42, 42, '6 * 7')"


def test_a_value_before_a_semicolon_is_no_result(seen: dict[str, Seen]) -> None:
    assert (seen["semicolon"].kinds, seen["semicolon"].value) == ([], "None")


def test_a_traceback_names_the_cell_and_shows_no_frame_of_ours(seen: dict[str, Seen]) -> None:
    one = seen["error"]
    assert (one.status, one.ename, one.evalue) == ("error", "ZeroDivisionError", "division by zero")
    assert "Cell In[5], line 2, in fall()" in one.shown
    assert "Cell In[5], line 3\n" in one.shown
    assert "autograder" not in one.shown
    assert one.of("error") == [{"ename": one.ename, "evalue": one.evalue, "traceback": one.traceback}]
    assert "\x1b[31m" in one.traceback[0]


def test_a_syntax_error_shows_the_line(seen: dict[str, Seen]) -> None:
    assert seen["syntax"].ename == "SyntaxError"
    assert "Cell In[6], line 1" in seen["syntax"].shown


def test_sys_exit_is_shown_as_stock_shows_it_and_the_process_goes_on(seen: dict[str, Seen]) -> None:
    one = seen["exit"]
    assert (one.ename, one.evalue) == ("SystemExit", "3")
    assert one.traceback[0] == "An exception has occurred, use %tb to see the full traceback.\n"
    assert "To exit: use 'exit', 'quit', or Ctrl-D." in one.err


def test_input_is_refused(seen: dict[str, Seen]) -> None:
    assert seen["input"].ename == "StdinNotImplementedError"
    assert seen["input"].evalue == "raw_input was called, but this frontend does not support input requests."


def test_what_child_processes_write_is_shown(seen: dict[str, Seen]) -> None:
    assert seen["shell command"].out.split() == ["from", "a", "child"]
    assert (seen["bash"].out, seen["bash"].err) == ("out\n", "err\n")
    assert (seen["descriptors"].out, seen["descriptors"].err) == ("one\ntwo\nthree\n", "bad\n")
    assert seen["fork"].out == "child\nparent\n"


def test_await_works_at_the_top_and_the_loop_runs_in_every_cell(seen: dict[str, Seen]) -> None:
    assert (seen["await"].out, seen["await"].value) == ("awaited\n", "5")
    assert seen["loop"].value == "True"


def test_what_a_task_puts_out_after_its_cell_is_dropped_as_by_nbclient(seen: dict[str, Seen]) -> None:
    assert (seen["task"].messages, seen["its end"].out) == ([], "after\n")


def test_displays_updates_and_clearing(seen: dict[str, Seen]) -> None:
    one = seen["display"]
    assert one.kinds == ["display_data", "update_display_data", "clear_output", "display_data"]
    assert one.of("display_data")[0]["data"]["text/html"] == "<b>x</b>"
    assert (
        one.of("display_data")[0]["transient"] == one.of("update_display_data")[0]["transient"] == {"display_id": "one"}
    )
    assert one.of("clear_output") == [{"wait": True}]
    assert one.of("display_data")[1]["data"] == {"application/json": {"day": "2020-01-02"}}


def test_capture_takes_streams_and_displays(seen: dict[str, Seen]) -> None:
    assert seen["capture"].messages == []
    assert seen["captured"].value == "('hidden\\n', {'text/plain': '3'})"


def test_help_is_a_page(seen: dict[str, Seen]) -> None:
    (page,) = seen["help"].payload
    assert page["source"] == "page"
    assert "Return the number of items" in page["data"]["text/plain"]


def test_warnings_and_logging_go_to_stderr(seen: dict[str, Seen]) -> None:
    assert "UserWarning: careful" in seen["warnings"].err
    assert "WARNING:root:logged\n" in seen["warnings"].err


def test_comms_open_and_send_with_buffers(seen: dict[str, Seen]) -> None:
    opened, sent = seen["comm"].messages
    assert (opened["msg_type"], opened["content"]["target_name"], opened["buffers"]) == ("comm_open", "t", ["eHk="])
    assert (sent["msg_type"], sent["content"]["data"]) == ("comm_msg", {"b": 2})
    assert opened["parent"] == sent["parent"] != ""


def test_a_flood_is_cut_at_the_limit_and_told_once_and_the_next_cell_starts_anew(seen: dict[str, Seen]) -> None:
    one = seen["flood"]
    assert one.out == "".join(f"{n}\n" for n in range(100))
    assert one.of("limit") == [{"what": "lines"}]
    assert seen["after the flood"].out == "again\n"


def test_a_long_line_is_cut_between_two_characters(seen: dict[str, Seen]) -> None:
    assert seen["one long line"].out == "é" * 10_000
    assert seen["one long line"].of("limit") == [{"what": "bytes"}]


@pytest.mark.parametrize("cell", ["interrupt", "interrupt again"])
def test_an_interrupt_is_shown_as_stock_shows_it_whatever_handler_a_cell_has_left(
    seen: dict[str, Seen], cell: str
) -> None:
    one = seen[cell]
    assert one.ename == "KeyboardInterrupt"
    assert f"Cell In[{one.count}], line" in one.shown
    assert "autograder" not in one.shown


def test_an_interrupt_cancels_an_await(seen: dict[str, Seen]) -> None:
    assert seen["interrupted await"].ename == "CancelledError"


@pytest.mark.parametrize("cell", ["stopped loop", "breakpoint"])
def test_the_cell_goes_on(seen: dict[str, Seen], cell: str) -> None:
    assert seen[cell].value == "'went on'"


def test_a_debugger_gets_no_input(seen: dict[str, Seen]) -> None:
    assert seen["debugger"].ename == "StdinNotImplementedError"


def test_a_system_exit_in_a_task_ends_its_cell_alone(seen: dict[str, Seen]) -> None:
    assert (seen["a task that exits"].status, seen["a task that exits"].ename) == ("error", "SystemExit")


def test_an_error_while_a_result_is_shown_is_the_cells(seen: dict[str, Seen]) -> None:
    assert (seen["no repr"].status, seen["no repr"].kinds) == ("error", ["error"])


def test_a_cell_that_replaces_what_the_shell_is_made_of_still_puts_out(seen: dict[str, Seen]) -> None:
    assert seen["json replaced"].of("display_data")[0]["data"] == {"text/plain": "still"}


def test_a_replaced_stdout_keeps_its_output_and_errors_still_come(seen: dict[str, Seen]) -> None:
    assert seen["stdout replaced"].messages == []
    assert (seen["and kept"].kinds, seen["and kept"].ename) == (["error"], "ZeroDivisionError")


def test_no_folder_is_made_in_the_home_and_the_environment_is_jupyters(tmp_path: Path) -> None:
    (one,) = run("import os\n[os.environ[name] for name in ('TERM', 'PAGER', 'MPLBACKEND')]", home=tmp_path)
    assert one.value == "['xterm-color', 'cat', 'module://matplotlib_inline.backend_inline']"
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("a\nb\nc\n", "a\nb\n"),
        ("a\nb\n", "a\nb\n"),
        ("a\nb\nc", "a\nb\n"),
        ("abc", "abc"),
        ("x" * 50, "x" * 20),
        ("", ""),
    ],
)
def test_an_allowance_keeps_whole_lines_and_so_many_bytes(text: str, kept: str) -> None:
    from autograder.records import Limits
    from autograder.shell import Allowance

    full: list[str] = []
    allowance = Allowance(Limits(output_bytes=20, output_lines=2), full.append)
    assert allowance.text(text) == kept
    assert bool(full) is (kept != text)
