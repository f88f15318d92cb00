"""The command `autograder`: its subcommands, and what they have in common. It imports nothing that a `--help` does not need.

A traitlets application in nbgrader's manner: it reads the same nbgrader_config.py, from the same places.
"""

from __future__ import annotations

import gc
import io
import logging
import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, TextIO

from jupyter_core.application import JupyterApp
from traitlets import default
from traitlets.config.loader import ConfigError, ConfigFileNotFound
from traitlets.traitlets import TraitError

from autograder.settings import AutograderApp
from autograder.voice import Say, Stop, language_here, put, voice
from bentocola.messages import LANGUAGES

if TYPE_CHECKING:
    from autograder.course import Course

__all__ = ["Autograder", "Command", "main"]

_CONFIG = "nbgrader_config"


class Command(JupyterApp):
    """One subcommand. Exit status: 0, 1 where it could not be done, 2 for wrong use."""

    name = "autograder"
    usage: ClassVar[str] = ""
    """The arguments, as they are written."""
    arguments: ClassVar[tuple[int, int]] = (0, 0)
    """How many there are: from, to."""

    classes = [AutograderApp]
    aliases = {"course-dir": "CourseDirectory.root", "language": "AutograderApp.speak"}
    flags: dict[str, Any] = {}

    @default("config_file_name")
    def _config_file_name_default(self) -> str:
        return _CONFIG

    @default("log_level")
    def _log_level_default(self) -> int:
        return logging.WARNING

    def described(self, say: Say) -> str:
        """Return what the command does, in a sentence."""
        raise NotImplementedError

    def run(self) -> int:
        """Do it; return the exit status. Raises Stop."""
        raise NotImplementedError

    @property
    def say(self) -> Say:
        """What speaks to the teacher: in the course's language, where it is known, else in the locale's, else in both."""
        # Not through `settings`: it also says which setting is not valid.
        asked = str(self.config.AutograderApp.get("speak") or self.config.AutograderApp.get("language", ""))
        return voice(asked if asked in LANGUAGES else language_here())

    @property
    def settings(self) -> AutograderApp:
        """The course's settings for us."""
        return AutograderApp(config=self.config)

    def options(self, say: Say) -> dict[str, str]:
        """Return what each option does, by how it is written."""
        return {
            "--course-dir=FOLDER": say("The course folder. Without it: the folder in which the command runs."),
            "--language=es|ja": say("The language of these texts."),
        }

    def course(self) -> Course:
        """Read the course's configuration, and return the course."""
        from autograder.course import Course
        from autograder.nbgrader_imports import lean

        lean()
        from nbgrader.coursedir import CourseDirectory

        return Course(CourseDirectory(config=self.config), self.config)

    def initialize(self, argv: Sequence[str] | None = None) -> None:
        """Read the command line and the configuration. Raises Stop for wrong use."""
        arguments = list(sys.argv[1:] if argv is None else argv)
        self._require_known(arguments)
        try:
            self.parse_command_line(arguments)
            given = self.cli_config
            self._read_configuration()
            AutograderApp.require_valid(given.AutograderApp, on_the_line=True)
            AutograderApp.require_valid(self.config.AutograderApp, on_the_line=False)
            self.update_config(given)
            self.settings  # noqa: B018  (its traits are checked as they are set)
        except (TraitError, ConfigError) as error:
            reason = str(error)
            raise Stop(
                lambda say: say("An option or a setting is not valid: {reason}", reason=reason), code=2
            ) from error
        low, high = self.arguments
        if not low <= len(self.extra_args) <= high:
            raise Stop(
                lambda say: say("This command is used so: {usage}", usage=f"autograder {self.name} {self.usage}"),
                code=2,
            )

    def _require_known(self, arguments: list[str]) -> None:
        known = {*self.aliases, *self.flags}
        for argument, following in zip(arguments, [*arguments, "--"][1:], strict=True):
            name = argument.lstrip("-").partition("=")[0]
            if argument.startswith("-") and "." not in name and name not in known:
                raise self._no_such_option(argument)
            if argument.startswith("--") and argument[2:] in self.aliases and following.startswith("--"):
                raise self._no_value(argument)

    def _no_such_option(self, option: str) -> Stop:
        return Stop(
            lambda say: say(
                "There is no option {option}. See: autograder {command} --help", option=option, command=self.name
            ),
            code=2,
        )

    def _no_value(self, option: str) -> Stop:
        return Stop(
            lambda say: say(
                "This option needs a value: {option}. See: autograder {command} --help",
                option=option,
                command=self.name,
            ),
            code=2,
        )

    def _read_configuration(self) -> None:
        """Load nbgrader_config.py as nbgrader does: Jupyter's folders, then this folder, then the course's."""
        root = os.path.abspath(self.config.CourseDirectory.get("root") or os.getcwd())
        sys.path.insert(0, os.getcwd())
        for paths in (self.config_file_paths, [os.getcwd()], None):
            where = paths or [os.path.abspath(self.config.CourseDirectory.get("root") or root)]
            try:
                self._load(where)
            except ConfigFileNotFound:
                continue
            self.update_config(self.cli_config)

    def _load(self, where: list[str]) -> None:
        self.raise_config_file_errors = True  # else traitlets logs the traceback and goes on without the file
        try:
            super(JupyterApp, self).load_config_file(_CONFIG, path=where)
        except ConfigFileNotFound:
            raise
        except Exception as error:
            reason, place = f"{type(error).__name__}: {error}", ", ".join(where)
            raise Stop(
                lambda say: say("nbgrader_config.py in {place} cannot be read: {reason}", place=place, reason=reason)
            ) from error


class Autograder:
    """The commands, by name. Each is a module of its own, imported when it is asked for."""

    commands: ClassVar[dict[str, str]] = {
        "grade": "autograder.apps.grade:Grade",
        "feedback": "autograder.apps.feedback:Feedback",
        "explain": "autograder.apps.explain:Explain",
        "preflight": "autograder.apps.preflight:Preflight",
        "doctor": "autograder.apps.doctor:Doctor",
    }

    @classmethod
    def command(cls, name: str) -> Command:
        """Return a command, ready to be initialized."""
        import importlib

        module, _, kind = cls.commands[name].partition(":")
        made: Command = getattr(importlib.import_module(module), kind)()
        return made


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command and return its exit status."""
    # The imports make some 600,000 objects, which stay. The default looks through all of them again and again meanwhile.
    gc.set_threshold(100_000, 20, 100)
    arguments = list(sys.argv[1:] if argv is None else argv)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):  # a console that has no Japanese letters shows signs in their place
            stream.reconfigure(errors="replace")
    spoken = _spoken(arguments)
    name = next(iter(arguments), "")
    if name in ("", "-h", "--help", "help"):
        _show(_overview, spoken, sys.stdout if name else sys.stderr)
        return 0 if name else 2
    if name not in Autograder.commands:
        say = voice(spoken)
        print(say("There is no command {name}.", name=name), file=sys.stderr)
        _show(_overview, spoken, sys.stderr)
        return 2
    command = Autograder.command(name)
    if {"-h", "--help", "--help-all"} & set(arguments):
        _show(partial(_help, command), spoken, sys.stdout)
        return 0
    try:
        command.initialize(arguments[1:])
        return command.run()
    except Stop as stop:
        put(stop.sentence(command.say), sys.stderr)
        return stop.code
    except BrokenPipeError:  # whoever read our output has gone, `head` say
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        put(command.say("Stopped. What was graded is saved: run the same command to go on."), sys.stderr)
        return 130


def _spoken(arguments: Sequence[str]) -> str:
    """Return the language to speak before the course's is known: the one asked for, or the locale's, or ""."""
    asked = [argument.partition("=")[2] for argument in arguments if argument.startswith("--language=")]
    return asked[-1] if asked and asked[-1] in LANGUAGES else language_here()


_Row = str | tuple[str, str]
"""A line of a help text: a sentence, or a name and what it is for."""


def _show(text: Callable[[Say], list[_Row]], spoken: str, to: TextIO) -> None:
    """Print a text of several lines, one language after the other where the reader's is not known."""
    for n, language in enumerate([spoken] if spoken else LANGUAGES):
        if n:
            print(file=to)
        rows = text(voice(language))
        width = max(len(row[0]) for row in rows if isinstance(row, tuple))
        for row in rows:
            if isinstance(row, str):
                put(row, to)
            else:
                put(row[1], to, before=f"  {row[0]:<{width}}  ")


def _overview(say: Say) -> list[_Row]:
    commands = [(name, Autograder.command(name).described(say)) for name in Autograder.commands]
    return [say("Grades what students handed in to a course of nbgrader."), "", "autograder …", *commands]


def _help(command: Command, say: Say) -> list[_Row]:
    usage = f"autograder {command.name} {command.usage}".rstrip()
    return [command.described(say), "", usage, *command.options(say).items()]
