"""nbgrader's converters, with the examiner in the place of a kernel and our pages in the place of nbconvert's.

Options, logs, failures and hooks are nbgrader's: whoever calls, a command or formgrader in a server, need know nothing of us.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nbgrader.converters import NbGraderException
from nbgrader.converters.autograde import Autograde as StockAutograde
from nbgrader.converters.generate_feedback import GenerateFeedback as StockGenerateFeedback

from autograder.course import Course
from autograder.settings import AutograderApp
from autograder.voice import Say, Stop, language_here, voice

if TYPE_CHECKING:
    from autograder.grading import Result, Summary

__all__ = ["Autograde", "GenerateFeedback"]


class Autograde(StockAutograde):  # type: ignore[misc]  # nbgrader is published without types
    """`nbgrader autograde`, and formgrader's button for it. Its name is the section's in a course's configuration."""

    def start(self) -> None:
        """Grade. Raises NbGraderException, as nbgrader does, where something could not be graded."""
        if (
            self.config.Execute.get("enabled") is False
        ):  # --no-execute: the outputs that were handed in are the teacher's choice
            super().start()
            return
        settings = AutograderApp(config=self.config)
        say = _voice(settings)
        try:
            summary = self._grade(settings, say)
        except Stop as stop:
            raise _failed(self, stop.sentence(say)) from stop
        if not summary.complete:
            students = ", ".join(result.student for result in summary.results if result.state == "failed")
            raise _failed(self, say("These submissions have no result: {students}. Run again.", students=students))

    def _grade(self, settings: AutograderApp, say: Say) -> Summary:
        from autograder import protection
        from autograder.grading import Options, grade
        from autograder.nursery import Nursery
        from autograder.report import closing_lines

        with Nursery() as nursery:
            found = protection.found()
            self.log.info(protection.in_words(say, found))
            protection.require(found, accept_unjailed=settings.accept_unjailed)
            options = Options(
                students=self.coursedir.student_id,
                notebooks=self.coursedir.notebook_id,
                workers=settings.how_many(),
                force=self.force,
                create_students=self.create_student,
                language=settings.language,
                limits=settings.limits_for(self.config),
            )
            course = Course(self.coursedir, self.config)
            summary = grade(course, self.coursedir.assignment_id, options, found, nursery, _Hooked(self, say, course))
        for line in closing_lines(say, summary):
            self.log.info(line)
        return summary


class GenerateFeedback(StockGenerateFeedback):  # type: ignore[misc]
    """`nbgrader generate_feedback`, and formgrader's buttons for it."""

    def start(self) -> None:
        """Make the pages. Raises NbGraderException where nobody has been graded."""
        from autograder.giving_back import give_back

        settings = AutograderApp(config=self.config)
        say = _voice(settings)
        directory = self.coursedir
        try:
            made = give_back(
                Course(directory, self.config),
                directory.assignment_id,
                directory.student_id,
                settings.pages,
                settings.language,
                directory.notebook_id,
            )
        except Stop as stop:
            raise _failed(self, stop.sentence(say)) from stop
        for path in made:
            self.log.info(say("Page made: {path}", path=path))


class _Hooked:
    """Tells nbgrader's log how a run goes on, and calls the course's hooks before and after each submission."""

    def __init__(self, converter: Autograde, say: Say, course: Course) -> None:
        from autograder.report import LogReport

        self._converter, self._course = converter, course
        self._report = LogReport(say, converter.log)

    def begins(self, total: int, kept: int) -> None:
        """Log it."""
        self._report.begins(total, kept)

    def starts(self, student: str) -> None:
        """Call the hook that the course has for it."""
        if self._converter.pre_convert_hook:
            self._name(student)
            self._converter.run_pre_convert_hook()

    def ended(self, result: Result) -> None:
        """Log it, and call the hook."""
        self._report.ended(result)
        if self._converter.post_convert_hook and result.state == "graded":
            self._name(result.student)
            self._converter.run_post_convert_hook()

    def _name(self, student: str) -> None:
        directory = self._converter.coursedir
        folder = self._course.submitted(directory.assignment_id, student)
        self._converter.notebooks = sorted(map(str, folder.glob(f"{directory.notebook_id}.ipynb")))


def _voice(settings: AutograderApp) -> Say:
    return voice(settings.speak or settings.language or language_here())


def _failed(converter: Any, message: str) -> NbGraderException:
    """Return nbgrader's own exception: its commands exit with status 1 for it, and formgrader shows the log."""
    converter.log.error(message)
    return NbGraderException(message)
