"""The process's AWS settings: the student's own are set aside, the course's fake ones are in force until `restore`.

It changes this process's environment variables only. No file is read, written or moved: while the cloud runs, boto3 is told
to look for its configuration where there is none.
"""

from __future__ import annotations

import os
from pathlib import Path

from bentocola.cloud.account import DEFAULT_REGION

__all__ = ["FAKE", "AwsEnvironment"]

FAKE = {
    "AWS_ACCESS_KEY_ID": "AKIABENTOCOLASTUDENT",
    "AWS_SECRET_ACCESS_KEY": "not-a-secret",
    "AWS_DEFAULT_REGION": DEFAULT_REGION,
    "AWS_CONFIG_FILE": os.devnull,
    "AWS_SHARED_CREDENTIALS_FILE": os.devnull,
    "AWS_EC2_METADATA_DISABLED": "true",
}
"""What boto3 finds. The key has a real one's form, so that code which looks at it works; nobody ever issued it."""


class AwsEnvironment:
    """Sets the fake AWS_* variables on creation; `restore` brings the former ones back, each as it was."""

    def __init__(self) -> None:
        self._aside = {name: value for name, value in os.environ.items() if name.startswith("AWS_")}
        for name in self._aside:
            del os.environ[name]
        os.environ.update(FAKE)

    @property
    def set_aside(self) -> list[str]:
        """The names, never the values, of the student's own settings that are not in force now."""
        home = Path(os.path.expanduser("~/.aws"))  # unlike Path.expanduser, it does not raise where there is no home
        files = [f"~/.aws/{name}" for name in ("config", "credentials") if (home / name).is_file()]
        return sorted(name for name, value in self._aside.items() if FAKE.get(name) != value) + files

    def restore(self) -> None:
        """Put the environment back as it was found."""
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            del os.environ[name]
        os.environ.update(self._aside)
