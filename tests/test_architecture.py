"""Which rooms there are, and what may pass between them: the imports of the tree, read from its sources.

What a function imports counts as well; what only a type checker sees does not.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("bentocola", "autograder")

# Who may touch moto, and why. A folder stands for all in it.
MAY_TOUCH_MOTO = {
    "bentocola.cloud.amendments": "where moto differs from what AWS documents",
    "bentocola.cloud.access": "who calls, and what their role allows",
    "bentocola.cloud.clock": "the time that every mocked service sees",
    "bentocola.cloud.door": "the one place that calls moto",
    "bentocola.cloud.cloud": "asks moto's version, and nothing else",
    "bentocola.cloud.models": "speed: botocore's descriptions, read once for boto3 and moto",
    "bentocola.cloud.imports": "speed: what of moto's imports can wait",
    "autograder.warm": "speed: what every sitting calls, called once before the fork",
    "autograder.sessions": "speed: what the sessions and mocks of a process share",
    "autograder.aws.clouds": "moto's mocks, which a source's cells may have started instead of the local cloud",
    "autograder.aws.polls": "how long a queue's receives wait by themselves",
    "autograder.aws.mocks": "`mock_aws` in a candidate, which leads to the examiner",
}


@cache
def modules() -> dict[str, ast.Module]:
    """Return the tree of each module, by its dotted name."""
    found = {}
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("*.py")):
            parts = path.relative_to(ROOT).with_suffix("").parts
            name = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
            found[name] = ast.parse(path.read_text(encoding="utf-8"), str(path))
    return found


def is_package(name: str) -> bool:
    """Whether a module is a folder's `__init__.py`."""
    return (ROOT / Path(*name.split(".")) / "__init__.py").is_file()


def running(node: ast.AST) -> Iterator[ast.AST]:
    """Yield every node below `node`, but for what stands under `if TYPE_CHECKING:`."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.If) and ast.unparse(child.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for other in child.orelse:
                yield other
                yield from running(other)
            continue
        yield child
        yield from running(child)


@cache
def imports(name: str) -> frozenset[str]:
    """Return the full names of what a module imports: `a.b.c` for `from a.b import c`."""
    found = set()
    for node in running(modules()[name]):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                above = name.split(".")[: len(name.split(".")) - node.level + is_package(name)]
                base = ".".join([*above, *([base] if base else [])])
            found |= {f"{base}.{alias.name}" for alias in node.names}
    return frozenset(found)


def neighbours(name: str) -> set[str]:
    """Return the modules of this tree that a module imports, or imports something from."""
    return {longest for target in imports(name) if (longest := _module_in(target)) and longest != name}


def _module_in(target: str) -> str | None:
    while target and target not in modules():
        target = target.rpartition(".")[0]
    return target or None


def within(name: str, *rooms: str) -> bool:
    """Whether a name is one of these, or inside of one."""
    return any(name == room or name.startswith(f"{room}.") for room in rooms)


def passing(start: str, *ends: str) -> list[str]:
    """Return a line for each import that leads from one room into others."""
    return [
        f"{name} imports {target}"
        for name in modules()
        if within(name, start)
        for target in sorted(imports(name))
        if within(target, *ends)
    ]


def test_sources_are_found() -> None:
    """The test reads the tree, and reads it right: imports in functions count, those for types only do not."""
    assert "bentocola.cloud.cloud" in neighbours("bentocola")
    assert "bentocola.cloud.door" in neighbours("bentocola.cloud.cloud")
    assert "bentocola.cloud.amendments.s3_events" in neighbours("bentocola.cloud.amendments")
    assert "moto.core.utils" in imports("bentocola.cloud.clock")

    sample = ast.parse("if TYPE_CHECKING:\n    import a\nelse:\n    import b\ndef f():\n    import c\n")

    assert [node.names[0].name for node in running(sample) if isinstance(node, ast.Import)] == ["b", "c"]


def test_student_s_part_knows_no_teacher_s_part() -> None:
    """`bentocola` imports nothing from `autograder`, nor from what is only in the repository."""
    assert passing("bentocola", "autograder", "tests", "tools", "bench", "preview") == []


def test_cloud_knows_no_lesson() -> None:
    """`cloud` imports nothing from `checks`, `labs` or `views`: of the package it knows errors and messages only."""
    outside = [name for name in modules() if within(name, "bentocola") and not within(name, "bentocola.cloud")]
    known = {"bentocola.errors", "bentocola.messages"}
    met = {name: neighbours(name) & set(outside) - known for name in modules() if within(name, "bentocola.cloud")}

    assert passing("bentocola.cloud", "bentocola.checks", "bentocola.labs", "bentocola.views") == []
    assert {name: others for name, others in met.items() if others} == {}


def test_no_modules_import_each_other() -> None:
    """There is an order in which each module comes after those that it imports."""
    try:
        order = list(TopologicalSorter({name: neighbours(name) for name in modules()}).static_order())
    except CycleError as error:
        pytest.fail(" imports ".join(reversed(error.args[1])))

    assert sorted(order) == sorted(modules())


def test_few_touch_moto() -> None:
    """Only those that are named here import moto, or name one of its modules in a text."""
    touching = {
        name
        for name, tree in modules().items()
        if any(within(target, "moto") for target in imports(name)) or any(_names_moto(node) for node in running(tree))
    }

    assert sorted(name for name in touching if not within(name, *MAY_TOUCH_MOTO)) == []


def _names_moto(node: ast.AST) -> bool:
    """Whether a node is a text such as "moto.sqs.models", from which a module can be imported."""
    is_text = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_text and node.value.startswith("moto.") and " " not in node.value


def test_cloud_asks_moto_for_its_version_only() -> None:
    """The module that puts the parts together asks which moto it is, and leaves the rest to the parts."""
    touched = {target for target in imports("bentocola.cloud.cloud") if within(target, "moto")}

    assert touched <= {"moto", "moto.__version__"}


def test_nothing_is_unpickled_or_evaluated() -> None:
    """What comes from another process is read as JSON: no pickle, no `eval`."""
    unsafe = ("pickle", "cloudpickle", "dill", "shelve", "jsonpickle", "joblib")
    found = [line for package in PACKAGES for line in passing(package, *unsafe)]
    for name, tree in modules().items():
        calls = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
        found += [f"{name} calls eval" for called in calls if isinstance(called, ast.Name) and called.id == "eval"]

    assert found == []
