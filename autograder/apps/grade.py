"""`autograder grade ASSIGNMENT`."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from typing import Any

from autograder.app import Command
from autograder.voice import Say, put, voices

__all__ = ["Grade"]


class Grade(Command):
    """Grades an assignment's submissions."""

    name = "grade"
    usage = "ASSIGNMENT [--course-dir=FOLDER] [--student=NAME] [--workers=N] [--force] [--accept-unjailed]"
    arguments = (1, 1)
    aliases = {
        **Command.aliases,
        "student": "AutograderApp.student",
        "workers": "AutograderApp.workers",
        "notebook": "CourseDirectory.notebook_id",
        "db": "CourseDirectory.db_url",
    }
    flags = {
        "force": ({"AutograderApp": {"force": True}}, ""),
        "accept-unjailed": ({"AutograderApp": {"accept_unjailed": True}}, ""),
    }

    def described(self, say: Say) -> str:
        """Return what the command does."""
        return say(
            "Grades an assignment's submissions, jailed and in parallel. Run again, it goes on where it stopped."
        )

    def options(self, say: Say) -> dict[str, str]:
        """Return what each option does."""
        return {
            **super().options(say),
            "--student=NAME": say("Only these students: names or globs, with commas between."),
            "--notebook=NAME": say("Only these notebooks of the assignment: a name or a glob."),
            "--workers=N": say("Submissions at the same time. Without it: one for each processor."),
            "--force": say("Grade again what has been graded and has not changed."),
            "--accept-unjailed": say("Grade though this machine cannot keep students' code apart from your files."),
        }

    def run(self) -> int:
        """Grade."""
        from autograder import protection
        from autograder.nursery import Nursery

        with ExitStack() as stack:
            # First of all: it warms up while this process imports nbgrader and reads the course.
            nursery = stack.enter_context(Nursery())
            # The jail is tried in processes of its own, so this one need not wait for it.
            tried = stack.enter_context(ThreadPoolExecutor(1)).submit(protection.found)
            from autograder.grading import Options, grade
            from autograder.report import show_table

            settings = self.settings
            course = self.course()
            language = settings.language
            options = Options(
                students=settings.student or course.directory.student_id,
                notebooks=course.directory.notebook_id,
                workers=settings.how_many(),
                force=settings.force,
                create_students=bool(self.config.Autograde.get("create_student", True)),
                language=language,
                limits=settings.limits_for(self.config),
            )
            found = tried.result()
            put(protection.in_words(self.say, found), sys.stdout)
            protection.require(found, accept_unjailed=settings.accept_unjailed)
            observer = stack.enter_context(_observer(self.say))
            summary = grade(course, self.extra_args[0], options, found, nursery, observer)
        for say in voices(self.say):
            show_table(say, summary, protection.in_words(say, found), _console())
        return 0 if summary.complete else 1


def _console() -> Any:
    from rich.console import Console

    return Console(highlight=False)


def _observer(say: Say) -> Any:
    from autograder.report import PlainReport, TerminalReport

    console = _console()
    return TerminalReport(say, console) if console.is_terminal else PlainReport(say)
