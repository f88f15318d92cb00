"""What runs a page's cells, in a Python of its own: what it tells the page of prints, values, views and errors."""

from __future__ import annotations

import io
import json
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from preview.browser import bundle

Said = list[dict[str, Any]]
Run = Callable[..., list[Said]]

MAIN = """
import json, sys
from bentocola_page.shell import Shell
said = []
shell = Shell(sys.argv[1], lambda told: said.append(json.loads(told)))
out, sys.stdout = sys.stdout, sys.stderr
found = []
for n, source in enumerate(json.load(sys.stdin)):
    said.clear()
    said.append({"ended": shell.run(f"c{n}", source)})
    found.append(list(said))
json.dump(found, out)
"""


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Runs cells one after the other, and returns for each what it said. The last thing is whether it came to its end."""
    folder = tmp_path_factory.mktemp("page")
    with zipfile.ZipFile(io.BytesIO(bundle.page().content)) as archive:
        archive.extractall(folder)

    def cells(*sources: str, language: str = "es") -> list[Said]:
        done = subprocess.run(
            [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(folder)!r})\n{MAIN}", language],
            input=json.dumps(sources),
            capture_output=True,
            text=True,
            check=False,
            cwd=Path(__file__).parents[2],
        )
        assert done.returncode == 0, done.stderr
        found: list[Said] = json.loads(done.stdout)
        return found

    return cells


def outputs(said: Said) -> Said:
    """What a cell put out."""
    return [one["output"] for one in said if "output" in one]


def test_prints_and_the_last_value_come_in_their_order(run: Run) -> None:
    """A cell's last expression is shown as in a notebook, unless it is None or ends with a semicolon; `_` is the last one."""
    told, silent, last, none = run("print('a', 'b')\n{'x': 1}", "1 + 1;", "_", "print('c')")

    assert outputs(told) == [
        {"kind": "stream", "name": "stdout", "text": "a b\n"},
        {"kind": "result", "text": "{'x': 1}", "html": None},
    ]
    assert outputs(silent) == []
    assert outputs(last)[0]["text"] == "{'x': 1}"
    assert [one["kind"] for one in outputs(none)] == ["stream"]


def test_values_are_written_as_ipython_writes_them(run: Run) -> None:
    """Long ones over several lines."""
    ((*said,),) = run("{'first': 'x' * 50, 'second': 'y' * 50}")

    assert outputs(said)[0]["text"] == "{'first': '" + "x" * 50 + "',\n 'second': '" + "y" * 50 + "'}"


def test_cells_share_names_and_functions_have_their_source(run: Run) -> None:
    """Lesson 05 packs a function's source into a zip."""
    *_, said = run("def f():\n    return 1", "import inspect\nprint(inspect.getsource(f), __name__)")

    assert "".join(one["text"] for one in outputs(said)) == "def f():\n    return 1\n __main__\n"


def test_errors_have_line_and_way(run: Run) -> None:
    """The way leads through cells alone; an exception whose own words fail is told all the same."""
    *_, said = run("def f(x):\n    return 1 / x", "a = 1\n\nf(0)")
    ((*broken,),) = run("class E(Exception):\n    def __str__(self):\n        raise OSError\nraise E")
    ((*left,),) = run("exit()", language="ja")

    assert outputs(said) == [
        {
            "kind": "error",
            "said": "Línea 3: ZeroDivisionError: division by zero",
            "trace": "esta celda, línea 3:\n    f(0)\notra celda, línea 2, f:\n    return 1 / x",
        }
    ]
    assert said[-1] == {"ended": False}
    assert outputs(broken)[0]["said"] == "Línea 4: E: (OSError)"
    assert "exit()" in outputs(left)[0]["said"]
    ((*ours,),) = run("import bentocola\nbentocola.start('fr')")
    assert not outputs(ours)[0]["said"].startswith("Línea")
    assert "'fr'" in outputs(ours)[0]["said"]


def test_a_view_is_told_with_its_state_and_keeps_in_step(run: Run) -> None:
    """What its cloud does after it was shown comes at the end of the next cell, without a thread. Its text is there, too."""
    source = "import boto3, bentocola\ncloud = bentocola.start('es')\nfrom bentocola.views import Stepper\nStepper(cloud.trace)"
    first, second = run(source, "view = cloud.view()\ndisplay(view)\nview.language = 'ja'")

    (view,) = [one for one in outputs(first) if one["kind"] == "view"]
    assert view["model"]["state"]["kind"] == "stepper"
    assert set(view["model"]["state"]) >= {"kind", "language", "feed", "connected", "mode", "traces", "story"}
    assert {"view": outputs(second)[0]["model"]["id"], "set": {"language": "ja"}} in second


def test_an_answer_that_fails_brings_its_story_after_its_verdict(run: Run) -> None:
    """As HTML, and then as a stepper that opens with a click."""
    setup = "import bentocola\nfrom bentocola.checks import check\ncloud = bentocola.start('ja')"
    answer = "def save_once(dynamodb, table, item):\n    dynamodb.put_item(TableName=table, Item=item)\n    return True"
    test = "with check(cloud, 'save_once', 1) as test:\n    test.survives(save_once, 'save-once-repeat')\ntest.result"
    *_, said = run(setup, answer, test, language="ja")

    result, replay = outputs(said)
    assert result["text"] == "0"
    assert "save_once" in result["html"]
    assert replay["model"]["state"]["fold"] != ""
