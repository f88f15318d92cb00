"""Keeps what takes long to make in `build/preview/`, until something that it was made from changes. It writes there only."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path

__all__ = ["digest_of", "kept", "kept_bytes"]

_FOLDER = Path("build") / "preview"


def digest_of(parts: Iterable[str | bytes | Path]) -> str:
    """Return a digest of texts and of files' contents, in their order."""
    digest = hashlib.sha256()
    for part in parts:
        content = part.read_bytes() if isinstance(part, Path) else part.encode() if isinstance(part, str) else part
        digest.update(len(content).to_bytes(8, "big") + content)
    return digest.hexdigest()[:16]


def kept(root: Path, name: str, digest: str, make: Callable[[], str]) -> str:
    """Return what `make` made of the same digest, or make it, and keep it in place of what it made under this name before."""
    return kept_bytes(root, f"{name}.json", digest, lambda: make().encode()).decode()


def kept_bytes(root: Path, name: str, digest: str, make: Callable[[], bytes]) -> bytes:
    """Return what `make` made of the same digest, or make and keep it. `name`: a file's, with its ending."""
    folder = root / _FOLDER
    stem, _, ending = name.rpartition(".")
    path = folder / f"{stem}.{digest}.{ending}"
    try:
        return path.read_bytes()
    except FileNotFoundError:  # never made, or another build has just taken it away
        made = make()
    folder.mkdir(parents=True, exist_ok=True)
    for former in folder.glob(f"{stem}.*.{ending}"):
        former.unlink(missing_ok=True)
    unfinished = path.with_suffix(".part")
    unfinished.write_bytes(made)
    unfinished.replace(path)
    return made
