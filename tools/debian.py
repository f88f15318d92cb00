"""Sees to Debian packages: `python tools/debian.py chromium fonts-noto-cjk` installs those that are missing.

Exits with 0 when all of them are there; otherwise with 1, and a sentence says what is missing and how to get it. Runs
before the project's environment exists, so it imports the standard library only. Unless it is root, it changes nothing.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys


def is_installed(package: str) -> bool:
    """Return whether dpkg holds `package` unpacked and configured."""
    query = ["dpkg-query", "--show", "--showformat=${Status}", package]
    answer = subprocess.run(query, capture_output=True, text=True, check=False)
    return answer.stdout == "install ok installed"


def install(packages: list[str]) -> bool:
    """Install `packages` with apt-get, and return whether it did. The package lists are renewed only if need be."""
    environment = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
    apt_get = ["apt-get", "--quiet", "--quiet", "--option", "Dpkg::Use-Pty=0"]
    command = [*apt_get, "install", "--yes", "--no-install-recommends", *packages]
    if subprocess.run(command, env=environment, capture_output=True, check=False).returncode == 0:
        return True
    print("Renewing the lists of Debian packages.", flush=True)
    subprocess.run([*apt_get, "update"], env=environment, check=False)
    return subprocess.run(command, env=environment, stdout=subprocess.DEVNULL, check=False).returncode == 0


def main(packages: list[str]) -> int:
    """Install what is missing of `packages`, or say what is missing; return the exit status."""
    if shutil.which("dpkg-query") is None or shutil.which("apt-get") is None:
        print(f"Nothing was installed, as this is not Debian. Needed, by their Debian names: {' '.join(packages)}.")
        return 1
    missing = [package for package in packages if not is_installed(package)]
    if not missing:
        return 0
    names = " ".join(missing)
    if os.geteuid() != 0:
        print(f"Missing on this machine: {names}. To install them: sudo apt-get install {names}")
        return 1
    print(f"Installing from Debian: {names}.", flush=True)
    if install(missing):
        return 0
    print(f"apt-get could not install: {names}. Its own message stands above.")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
