"""The options of `bentocola` and its commands: argparse, with sentences in the person's language in place of its English."""

from __future__ import annotations

import argparse
from typing import NoReturn

from bentocola.cli.language import CommandError, say

__all__ = ["Parser", "port"]


_PATHS = ("ready_file", "dir")
"""Where nothing was written as the path, it would be the folder in which the command is typed."""


class Parser(argparse.ArgumentParser):
    """Raises CommandError for what it does not understand, where argparse would print its usage and end."""

    def __init__(self, command: str) -> None:
        super().__init__(prog=f"bentocola {command}", add_help=False, allow_abbrev=False, exit_on_error=False)
        self.command = command

    def parse(self, arguments: list[str]) -> argparse.Namespace:
        """Return the options. Raises CommandError."""
        try:
            parsed, unknown = self.parse_known_args(self._with_dashes(arguments))
        except argparse.ArgumentError as error:
            raise CommandError(
                say(
                    "The option {option} of bentocola {command} was not understood. See: bentocola help",
                    option=error.argument_name or " ".join(arguments),
                    command=self.command,
                )
            ) from None
        if unknown:
            raise CommandError(
                say(
                    "bentocola {command} has no option '{option}'. See: bentocola help",
                    command=self.command,
                    option=unknown[0],
                )
            )
        for name in _PATHS:
            if getattr(parsed, name, None) == "":
                option = f"--{name.replace('_', '-')}"
                raise CommandError(say("{option} expects a path; it got '{got}'.", option=option, got=""))
        return parsed

    def _with_dashes(self, arguments: list[str]) -> list[str]:
        """Join an option and its value where that begins with a dash: what such a value is worth is said by who reads it."""
        joined: list[str] = []
        for word in arguments:
            before = self._option_string_actions.get(joined[-1]) if joined else None
            is_value = before is not None and before.nargs is None and before.option_strings[0].startswith("--")
            if is_value and word.startswith("-") and word not in self._option_string_actions:
                joined[-1] += f"={word}"
            else:
                joined.append(word)
        return joined

    def error(self, message: str) -> NoReturn:
        """What argparse calls in some cases even so."""
        raise CommandError(
            say(
                "The option {option} of bentocola {command} was not understood. See: bentocola help",
                option=message,
                command=self.command,
            )
        )


def port(text: str) -> int:
    """Read a port. Raises CommandError for what is none."""
    if not (text.isascii() and text.isdecimal() and int(text) <= 65535):
        raise CommandError(say("--port expects a number from 0 to 65535; it got '{got}'.", got=text))
    return int(text)
