"""The assignment's paper, kept beside the records, and prepared anew when what it is made from has changed."""

from __future__ import annotations

from autograder import paper as papers
from autograder import stops
from autograder.course import Course
from autograder.findings import kept
from autograder.results import Store
from autograder.sheet import Paper, PaperError

__all__ = ["prepared"]


def prepared(course: Course, assignment: str, language: str = "") -> Paper:
    """Return the assignment's paper: the one that is kept, or a new one if the source or the settings have changed."""
    store = Store(course.ours)
    path = store.paper(assignment)
    source = course.source(assignment)
    try:
        plain = papers.fingerprint(source, clear_settings=course.config)
        # Of another source they say nothing.
        findings = kept(store.preflight(assignment), plain)
        together = findings.marks if findings else {}
        made_from = papers.fingerprint(source, together=together, clear_settings=course.config)
        try:
            there = papers.read(path)
        except PaperError:
            there = None
        if there is not None and there.made_from == made_from and there.language == language:
            return there
        made = papers.prepare(
            source, assignment=assignment, language=language, together=together, clear_settings=course.config
        )
    except PaperError as error:
        raise stops.unusable(assignment, error) from error
    path.parent.mkdir(parents=True, exist_ok=True)
    papers.write(made, path)
    return made
