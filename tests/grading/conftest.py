"""The class is graded once for all tests, in both languages at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import pytest

from tests.grading.classroom import Classroom, grade_class
from tests.notebooks.editions import LANGUAGES


@pytest.fixture(scope="session")
def classrooms(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Classroom]:
    """The graded class of each language. nbgrader runs in processes of its own, so the threads only wait for them."""
    folders = [tmp_path_factory.mktemp(f"course-{language}") for language in LANGUAGES]
    with ThreadPoolExecutor(len(LANGUAGES)) as pool:
        return dict(zip(LANGUAGES, pool.map(grade_class, LANGUAGES, folders), strict=True))
