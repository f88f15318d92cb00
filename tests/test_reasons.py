"""Why the system refuses something, in the reader's language."""

from __future__ import annotations

import errno
import os

import pytest

from bentocola.messages import LANGUAGES, translate
from bentocola.reasons import why

MESSAGE = "The ready file {path} cannot be written: {why}. Choose another with --ready-file."
NAMES = ("ENOENT", "ENOTDIR", "EISDIR", "EEXIST", "EACCES", "EPERM", "EROFS", "ENOSPC", "EDQUOT", "ENAMETOOLONG")


@pytest.mark.parametrize("name", [name for name in NAMES if hasattr(errno, name)])
def test_reason_is_in_the_sentence_s_language(name: str) -> None:
    """None of the system's English, and no English of ours."""
    number = getattr(errno, name)
    reason = why(OSError(number, os.strerror(number)))
    for language in LANGUAGES:
        said = translate(language, MESSAGE, path="F", why=reason)
        assert os.strerror(number) not in said
        assert reason not in said


def test_reason_that_no_file_of_a_student_s_leads_to() -> None:
    """The system's own words, or what was raised with it."""
    assert why(OSError(errno.EMFILE, "Too many open files")) == "Too many open files"
    assert why(OSError("odd")) == "odd"
