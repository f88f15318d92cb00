"""The folder from which a page starts Python: Pyodide's own files, a lock of packages, and the wheels that it names.

npm brings Pyodide, the environment brings the packages; nothing else is asked. What a page never uses stays out: the
descriptions of other services, moto's mocks of them, compiled parts, command lines.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from functools import partial
from importlib.metadata import distribution
from pathlib import Path
from typing import Any

from bentocola import __version__
from preview.browser.wheels import Wheel, cut, licences_of, packed

__all__ = ["PYODIDE", "course", "local_cloud", "lock", "page", "pyodide"]

PYODIDE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip")
"""The files of the npm package that a page fetches."""

_SERVICES = ("dynamodb", "iam", "lambda", "logs", "s3", "sns", "sqs", "sts")
"""Those that the course calls, and one that it does not offer, to see it refused."""
_MOTO = (
    *(
        "awslambda",
        "cloudwatch",
        "core",
        "dynamodb",
        "dynamodb_v20111205",
        "dynamodbstreams",
        "ecr",
        "events",
        "iam",
        "kinesis",
    ),
    *("kms", "logs", "moto_api", "packages", "s3", "s3bucket_path", "sqs", "sts", "utilities"),
)
"""moto's packages of those services, and what they import."""
_HERE = Path(__file__).parent
_NOT_IN_A_PAGE = ("cli/", "labs/", "views/source/")
"""Of the course: what wants a terminal, and what the views' module is made from."""


def pyodide(packages: Path) -> dict[str, bytes]:
    """Return Pyodide's files by their names. `packages`: npm's `node_modules`."""
    return {name: (packages / "pyodide" / name).read_bytes() for name in PYODIDE}


def local_cloud() -> list[Wheel]:
    """Return the wheels of boto3, moto and hypothesis, and of what they want."""
    found: dict[str, Wheel] = {}
    todo = ["boto3", "moto", "hypothesis", "pyyaml", "py-partiql-parser", "traitlets"]
    while todo:
        name = todo.pop()
        if name in found:
            continue
        found[name] = _cryptography() if name == "cryptography" else cut(name, _KEEP.get(name, _is_wanted))
        todo += found[name].wants
    return [found[name] for name in sorted(found)]


def course(root: Path) -> Wheel:
    """Return the wheel of the course's own package, from its sources and compiled catalogues. `root`: the repository."""
    package = root / "bentocola"
    files = {}
    for path in sorted(package.rglob("*")):
        name = path.relative_to(package).as_posix()
        if path.suffix in (".py", ".mo", ".json", ".mjs") and not name.startswith(_NOT_IN_A_PAGE):
            files[f"bentocola/{name}"] = path.read_bytes()
    files["bentocola/labs/__init__.py"] = (_HERE / "labs_stand_in.py").read_bytes()
    licences = {"LICENSE": (root / "LICENSE").read_bytes()}
    return packed("bentocola", __version__, files, licences, ["boto3", "hypothesis", "moto", "py-partiql-parser"])


def page() -> Wheel:
    """Return the wheel of what runs a page's cells, in place of Jupyter's kernel."""
    files = {f"bentocola_page/{path.name}": path.read_bytes() for path in sorted((_HERE / "page").glob("*.py"))}
    ipython = distribution("ipython")
    files["bentocola_page/ipython/pretty.py"] = Path(str(ipython.locate_file("IPython/lib/pretty.py"))).read_bytes()
    return packed("bentocola-page", __version__, files, licences_of(ipython), ["bentocola", "traitlets"])


def lock(packages: Path, wheels: Iterable[Wheel]) -> bytes:
    """Return Pyodide's lock with these wheels as its only packages. `packages`: npm's `node_modules`."""
    found: dict[str, Any] = json.loads((packages / "pyodide" / "pyodide-lock.json").read_text(encoding="utf-8"))
    found["packages"] = {wheel.name: _locked(wheel) for wheel in wheels}
    return json.dumps(found, indent=1, sort_keys=True).encode()


def _locked(wheel: Wheel) -> dict[str, Any]:
    return {
        "name": wheel.name,
        "version": wheel.version,
        "file_name": wheel.file_name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.content).hexdigest(),
        "package_type": "package",
        "imports": list(wheel.imports),
        "depends": list(wheel.wants),
        "unvendored_tests": False,
    }


def _cryptography() -> Wheel:
    """Return a stand-in for what has no pure Python: it can be imported, and says so when it is used."""
    stub = (_HERE / "cryptography_stub.py").read_bytes()
    return packed("cryptography", "0", {"cryptography/__init__.py": stub}, {}, [])


def _is_wanted(path: str) -> bool:
    return path.endswith((".py", ".typed")) or "." not in path.rpartition("/")[2]


def _of_botocore(path: str) -> bool:
    if "/examples-" in path:
        return False
    parts = path.split("/")
    return parts[1] != "data" or len(parts) == 3 or parts[2] in _SERVICES


def _of_boto3(path: str) -> bool:
    parts = path.split("/")
    if parts[1] == "examples":
        return False
    return parts[1] != "data" or len(parts) == 3 or parts[2] in _SERVICES


def _of_moto(path: str) -> bool:
    parts = path.split("/")
    if path.endswith("iam/aws_managed_policies.py") or "/resources/" in path:
        return False
    return path.endswith((".py", ".json", ".txt")) and (len(parts) == 2 or parts[1] in _MOTO)


def _without(*folders: str) -> Callable[[str], bool]:
    return partial(_outside, folders)


def _outside(folders: tuple[str, ...], path: str) -> bool:
    return _is_wanted(path) and not path.startswith(folders)


_KEEP: dict[str, Callable[[str], bool]] = {
    "boto3": _of_boto3,
    "botocore": _of_botocore,
    "moto": _of_moto,
    "werkzeug": _without("werkzeug/debug/"),
    "hypothesis": _without("hypothesis/extra/", "hypothesis/vendor/tlds"),
}
