"""A process without AWS settings of its own, for as long as one file's tests take."""

from __future__ import annotations

import os
from collections.abc import Iterator

import boto3
import pytest


@pytest.fixture(scope="module")
def no_settings(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """An empty home folder, no AWS_* variable, no default session."""
    home = str(tmp_path_factory.mktemp("home"))
    with pytest.MonkeyPatch.context() as patch:
        for name in [name for name in os.environ if name.startswith("AWS_")]:
            patch.delenv(name)
        patch.setenv("HOME", home)
        patch.setenv("USERPROFILE", home)
        patch.setattr(boto3, "DEFAULT_SESSION", None)
        yield
