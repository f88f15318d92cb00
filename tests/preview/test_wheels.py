"""The wheels for a browser: what is installed, cut to pure Python, marked as local, with licences; always the same bytes."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from importlib.metadata import distribution

import pytest

from preview.browser import bundle
from preview.browser.compiled import with_code
from preview.browser.wheels import LOCAL, Wheel, cut, packed
from tests.repository import ROOT


@pytest.fixture(scope="module")
def wheels() -> dict[str, Wheel]:
    """All that a page loads, by name."""
    return {wheel.name: wheel for wheel in [*bundle.local_cloud(), bundle.course(ROOT), bundle.page()]}


def names(wheel: Wheel) -> list[str]:
    """The paths of a wheel's files."""
    with zipfile.ZipFile(io.BytesIO(wheel.content)) as archive:
        return archive.namelist()


def test_they_are_the_versions_that_are_installed_and_say_that_they_were_cut(wheels: dict[str, Wheel]) -> None:
    """A local version, by the specification: nobody takes it for its makers' own."""
    for name in ("boto3", "botocore", "moto", "hypothesis"):
        assert wheels[name].version == f"{distribution(name).version}+local"
        assert wheels[name].file_name == f"{name}-{distribution(name).version}_{LOCAL}-py3-none-any.whl"


def test_nothing_in_them_is_compiled_for_a_machine(wheels: dict[str, Wheel]) -> None:
    """Nor is anything there twice, or outside of site-packages."""
    for wheel in wheels.values():
        paths = names(wheel)
        assert not [
            path for path in paths if path.endswith((".so", ".pyd", ".pyc", ".pyi")) or path.startswith(("/", ".."))
        ]
        assert len(paths) == len(set(paths))


def test_each_brings_its_licence(wheels: dict[str, Wheel]) -> None:
    """But for what stands in for one that cannot run there, and holds nothing of it."""
    without = [name for name, wheel in wheels.items() if not any("/licenses/" in path for path in names(wheel))]

    assert without == ["cryptography"]


def test_what_no_lesson_calls_is_left_out(wheels: dict[str, Wheel]) -> None:
    """Descriptions of other services, moto's mocks of them, the course's own command line, and what only teachers have."""
    services = {
        path.split("/")[2]
        for path in names(wheels["botocore"])
        if path.startswith("botocore/data/") and path.count("/") > 2
    }
    mocks = {path.split("/")[1] for path in names(wheels["moto"]) if path.count("/") > 1}
    course = {path.split("/")[1] for path in names(wheels["bentocola"])}

    assert services == {"dynamodb", "iam", "lambda", "logs", "s3", "sns", "sqs", "sts"}
    assert not mocks & {"ec2", "rds", "ssm", "stepfunctions"}
    assert "cli" not in course
    assert [path for path in names(wheels["bentocola"]) if "/labs/" in path] == ["bentocola/labs/__init__.py"]
    assert not any(name.startswith("autograder") for name in wheels)


def test_whatever_one_wants_is_there(wheels: dict[str, Wheel]) -> None:
    """So a page asks nobody for more."""
    wanted = {name for wheel in wheels.values() for name in wheel.wants}

    assert wanted <= set(wheels)


def test_the_lock_names_each_with_its_digest(wheels: dict[str, Wheel]) -> None:
    """Pyodide checks it. No address stands in it: all lie beside it."""
    text = bundle.lock(ROOT / "preview" / "node_modules", wheels.values()).decode()
    locked = json.loads(text)["packages"]

    assert set(locked) == set(wheels)
    assert all(one["sha256"] == hashlib.sha256(wheels[name].content).hexdigest() for name, one in locked.items())
    assert "://" not in text


def test_the_same_files_make_the_same_bytes() -> None:
    """Whenever they are packed."""
    assert cut("jmespath").content == cut("jmespath").content


def test_compiled_code_takes_the_place_of_its_source() -> None:
    """And the wheel's record says so."""
    wheel = packed("x", "1", {"x/a.py": b"a = 1", "x/b.py": b"b = 1"}, {}, [])
    with zipfile.ZipFile(io.BytesIO(with_code(wheel.content, {"x/a.py": b"code"}))) as archive:
        paths, record = set(archive.namelist()), archive.read("x-1+local.dist-info/RECORD").decode()
        content = archive.read("x/a.pyc")

    assert {path for path in paths if path.startswith("x/")} == {"x/a.pyc", "x/b.py"}
    assert content == b"code"
    assert "x/a.pyc,sha256=" in record
    assert "x/a.py," not in record
