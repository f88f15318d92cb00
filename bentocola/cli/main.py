"""`bentocola COMMAND`: serve, shell or aws. It finds the command and says in a sentence why one cannot go on.

`aws` comes first and brings the fewest imports: each costs every command of a student some milliseconds.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says, and return the exit status: 2 when it could not be understood or cannot be done."""
    command, *rest = [*(sys.argv[1:] if arguments is None else arguments)] or ["help"]
    from bentocola.cli.language import CommandError, say, tell

    try:
        if command == "aws":
            return _aws(rest)
        if command == "serve":
            from bentocola.cli.serve import serve

            return serve(rest)
        if command == "shell":
            from bentocola.cli.shell import shell

            return shell(rest)
        if command in ("help", "-h", "--help"):
            print(_help())
            return 0
        if command == "--version":
            from bentocola import __version__

            print(__version__)
            return 0
        raise CommandError(say("bentocola has no command '{command}'. See: bentocola help", command=command))
    except CommandError as error:
        tell(str(error))
        return 2


def _aws(arguments: list[str]) -> int:
    import os

    from bentocola.cli import ready
    from bentocola.cli.aws import client
    from bentocola.cli.surroundings import MARK, prepared

    found = ready.find(None)
    if os.environ.get(MARK) != found.endpoint:  # in a shell of the course, what the student set there counts
        settings = prepared(os.environ, found.environment)
        for name in set(os.environ) - set(settings):
            del os.environ[name]
        os.environ.update(settings)
    return client.run(found.aws, found.endpoint, arguments)


def _help() -> str:
    from bentocola.cli.language import say

    return "\n\n".join(
        (
            "bentocola serve [--port 5000] [--ready-file FILE] [--language es|ja]\n"
            + say("Starts the local cloud for other programs, until Ctrl+C. --port 0 takes a free port."),
            "bentocola shell [--ready-file FILE] [-c COMMAND]\n"
            + say("Opens your shell, or runs one command, with aws and boto3 on the local cloud."),
            "bentocola aws ...\n" + say("Runs one aws command on the local cloud."),
        )
    )
