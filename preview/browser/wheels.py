"""Cuts wheels for a browser from the packages that are installed here, so that they are those of `requirements.lock`.

A wheel holds a distribution's own pure Python files and its licences. Its version is marked as local, for it is not the one
that its makers published. Nothing is fetched; the files are read where pip put them.
"""

from __future__ import annotations

import base64
import hashlib
import io
import zipfile
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from importlib.metadata import Distribution, distribution
from pathlib import Path, PurePosixPath

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

__all__ = ["LOCAL", "Wheel", "cut", "licences_of", "packed", "record", "zipped"]

LOCAL = "local"
"""The local version that marks a wheel as cut here: https://packaging.python.org/en/latest/specifications/version-specifiers/"""

_COMPILED = (".so", ".pyd", ".dll", ".dylib")
_LICENCES = ("licen", "copying", "notice", "authors")
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""Every file's time in a wheel: the same content makes the same bytes."""


@dataclass(frozen=True)
class Wheel:
    """A wheel: its distribution, its version, its bytes, what can be imported from it, and which distributions it wants."""

    name: str
    version: str
    content: bytes
    imports: tuple[str, ...]
    wants: tuple[str, ...] = field(default=())

    @property
    def file_name(self) -> str:
        """Its file's name: a wheel's, but that some servers of files take a plus in an address for a space."""
        return f"{_escaped(self.name)}-{self.version.replace('+', '_')}-py3-none-any.whl"


def cut(name: str, keep: Callable[[str], bool] = lambda path: True) -> Wheel:
    """Return the wheel of an installed distribution. `keep`: whether a file, by its path in site-packages, is wanted.

    Raises `importlib.metadata.PackageNotFoundError` for what is not installed.
    """
    found = distribution(name)
    files = {}
    for path, content in _files(found):
        is_own = not path.parts[0].endswith(".dist-info") and path.parts[0] != ".."
        if is_own and path.suffix not in (*_COMPILED, ".pyc", ".pyi") and keep(str(path)):
            files[str(path)] = content.read_bytes()
    return packed(found.metadata["Name"], found.version, files, licences_of(found), _wants(found), _metadata(found))


def licences_of(found: Distribution) -> dict[str, bytes]:
    """Return the texts of an installed distribution's licences, by their names."""
    return {
        path.name: content.read_bytes()
        for path, content in _files(found)
        if path.parts[0].endswith(".dist-info") and any(word in path.name.lower() for word in _LICENCES)
    }


def _files(found: Distribution) -> Iterable[tuple[PurePosixPath, Path]]:
    """Yield its files: by their paths in a wheel, and where they are here."""
    for file in found.files or ():
        yield PurePosixPath(file.as_posix()), Path(str(found.locate_file(file)))


def packed(
    name: str,
    version: str,
    files: Mapping[str, bytes],
    licences: Mapping[str, bytes],
    wants: Iterable[str],
    metadata: str | None = None,
) -> Wheel:
    """Return a wheel of these files, by their paths in site-packages."""
    version = f"{version}+{LOCAL}"
    folder = f"{_escaped(name)}-{version}.dist-info"
    wants = tuple(sorted(wants))
    every = dict(files)
    every |= {f"{folder}/licenses/{file}": content for file, content in licences.items()}
    every[f"{folder}/METADATA"] = (metadata or f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n").encode()
    every[f"{folder}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: bentocola\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    every[f"{folder}/RECORD"] = record(every)
    imports = {path.partition("/")[0].removesuffix(".py") for path in files if path.endswith(".py")}
    return Wheel(canonicalize_name(name), version, zipped(every), tuple(sorted(imports)), wants)


def zipped(files: Mapping[str, bytes]) -> bytes:
    """Return a zip of these files, by their paths: the same bytes each time."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for path, content in sorted(files.items()):
            archive.writestr(zipfile.ZipInfo(path, _EPOCH), content, zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


def record(files: Mapping[str, bytes]) -> bytes:
    """Return the RECORD of a wheel's files."""
    lines = []
    for path, content in sorted(files.items()):
        digest = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(content)}\n")
    return "".join(lines).encode()


def _wants(found: Distribution) -> set[str]:
    """Return the names of the distributions that it requires in a browser, without extras."""
    in_browser = {"extra": "", "sys_platform": "emscripten", "platform_system": "Emscripten", "os_name": "posix"}
    required = (Requirement(text) for text in found.requires or ())
    return {canonicalize_name(one.name) for one in required if one.marker is None or one.marker.evaluate(in_browser)}


def _metadata(found: Distribution) -> str:
    """Return its metadata with the local version, and without its long description."""
    head = (found.read_text("METADATA") or "").partition("\n\n")[0]
    own = f"Version: {found.version}"
    return "\n".join(f"{own}+{LOCAL}" if line == own else line for line in head.splitlines()) + "\n"


def _escaped(name: str) -> str:
    return canonicalize_name(name).replace("-", "_")
