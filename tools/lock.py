"""Pins every package: writes `requirements.lock`, `environment.yml` and `binder/environment.yml` from `pyproject.toml`.

`make lock` calls it. The lock serves Linux, macOS and Windows, with a hash for every file. The two environment files
are equal and hold the same pins inline, for conda and for Binder. A pin that still fits is kept: to renew all of them,
delete `requirements.lock` first.
"""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
LOCK = "requirements.lock"
# Binder ignores the first once it sees the second, and a link from one to the other would not survive on Windows.
ENVIRONMENTS = ("environment.yml", "binder/environment.yml")

COMPILE = (
    *("pip", "compile", "pyproject.toml", "--output-file", LOCK),
    *("--universal", "--python-version", "3.11", "--all-extras", "--generate-hashes"),
    *("--no-emit-index-url", "--no-emit-find-links", "--no-header", "--quiet"),
)
PIN = re.compile(r"^(?P<pin>\w\S*==\S+(?: ; .+?)?)(?: \\)?$", re.MULTILINE)
ENVIRONMENT = """\
# Written by `make lock` from pyproject.toml: change that one.
name: bentocola
channels:
  - conda-forge
dependencies:
  - python=3.11
  - pip
  - pip:
"""


def pins(lock: str) -> list[str]:
    """Return the requirements of a lock file, each as `name==version` or `name==version ; marker`, without hashes."""
    return [found["pin"] for found in PIN.finditer(lock)]


def environment(requirements: list[str]) -> str:
    """Return the text of a conda environment file that pins Python 3.11 and `requirements`."""
    return ENVIRONMENT + "".join(f"      - {requirement}\n" for requirement in requirements)


def main() -> int:
    """Write the three files and return the exit status; when uv finds no versions that fit, it says why."""
    resolved = subprocess.run([sys.executable, "-m", "uv", *COMPILE], cwd=ROOT, check=False)
    if resolved.returncode != 0:
        print("The versions could not be resolved, so the pins stay as they were.", file=sys.stderr)
        return resolved.returncode
    requirements = pins((ROOT / LOCK).read_text(encoding="utf-8"))
    for name in ENVIRONMENTS:
        (ROOT / name).write_text(environment(requirements), encoding="utf-8", newline="\n")
    print(f"{len(requirements)} pins written to {LOCK}, {' and '.join(ENVIRONMENTS)}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
