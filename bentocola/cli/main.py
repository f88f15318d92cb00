"""`bentocola COMMAND`: it finds the command that `bentocola help` lists, and says in a sentence why one cannot go on.

`aws` comes first and brings the fewest imports: each costs every command of a student some milliseconds.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run what the command line says, and return the exit status: 2 when it could not be understood or cannot be done."""
    command, *rest = [*(sys.argv[1:] if arguments is None else arguments)] or ["help"]
    from bentocola.cli.language import CommandError, say, tell

    try:
        if command in _HELPED and rest[:1] in (["--help"], ["-h"]):
            command = "help"
        if command == "aws":
            return _aws(rest)
        if command == "serve":
            from bentocola.cli.serve import serve

            return serve(rest)
        if command == "shell":
            from bentocola.cli.shell import shell

            return shell(rest)
        if command == "lab":
            from bentocola.cli.lab import lab

            return lab(rest)
        if command in ("clock", "trace", "fault"):
            from bentocola.cli import steer

            return {"clock": steer.clock, "trace": steer.trace, "fault": steer.fault}[command](rest)
        if command == "preview":
            from bentocola.cli.preview import preview

            return preview(rest)
        if command in ("help", "-h", "--help"):
            print(_help(), flush=True)
            return 0
        if command == "--version":
            from bentocola import __version__

            print(__version__)
            return 0
        raise CommandError(say("bentocola has no command '{command}'. See: bentocola help", command=command))
    except CommandError as error:
        tell(str(error))
        return 2
    except BrokenPipeError:
        # Who reads has read enough, as in "| head": nothing more goes out, also not what Python still holds.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


_HELPED = ("serve", "shell", "lab", "clock", "trace", "fault")


def _aws(arguments: list[str]) -> int:
    from bentocola.cli import finding
    from bentocola.cli.aws import client
    from bentocola.cli.surroundings import MARK, prepared

    found = finding.find(None)
    if os.environ.get(MARK) != found.endpoint:  # in a shell of the course, what the student set there counts
        settings = prepared(os.environ, found.environment)
        for name in set(os.environ) - set(settings):
            del os.environ[name]
        os.environ.update(settings)
    return client.run(found.aws, found.endpoint, arguments)


def _help() -> str:
    from bentocola.cli.language import say

    faults = (
        (
            "throttle SERVICE:OPERATION [--on N] [--times N] [--by you|lambda]",
            say("The service refuses the call: too many."),
        ),
        ("lose-response SERVICE:OPERATION [--on N] [--by …]", say("The call is done, and its answer gets lost.")),
        ("stop-before SERVICE:OPERATION [--on N] [--by …]", say("Whoever calls stops before the call.")),
        ("stop-after SERVICE:OPERATION [--on N] [--by …]", say("Whoever calls stops once the call is done.")),
        ("deliver-again [--on N]", say("SQS delivers a message once more.")),
        ("reorder [--on N]", say("SQS hands messages out in another order.")),
        ("delay-event --seconds S [--on N]", say("The event of S3 comes later.")),
    )
    return "\n\n".join(
        (
            "bentocola serve [--port 5000] [--ready-file FILE] [--language es|ja]\n"
            + say("Starts the local cloud for other programs, until Ctrl+C. --port 0 takes a free port.")
            + "\n"
            + say("--ready-file names a file that tells other commands where the cloud is, when several are running."),
            "bentocola shell [--ready-file FILE] [-c COMMAND]\n"
            + say("Opens your shell, or runs one command, with aws and boto3 on the local cloud."),
            "bentocola aws ...\n" + say("Runs one aws command on the local cloud."),
            "bentocola lab start NAME [--prefix P] [--language es|ja] [--port N] [--dir FOLDER] [--ready-file FILE]\n"
            + say("Opens a lab with its own local cloud, until Ctrl+C or bentocola lab stop."),
            "bentocola lab check [STEP] | cleanup-check | reset | stop | list | terminal\n"
            + say(
                "Says what is proven in a lab and what is not yet, begins it anew, ends it, lists the labs, opens its shell."
            ),
            "bentocola preview build [--out FOLDER] [--base-url /PATH/] | serve [--port N]\n"
            + say("Makes the course's static site, or shows it on this machine too."),
            "bentocola clock [advance SECONDS]\n"
            + say("Prints the local cloud's time, or moves it forward: what is due by then happens at once."),
            "bentocola trace [--json] [--clear]\n"
            + say(
                "Tells step by step what has happened. --json prints it as data; --clear forgets it and begins anew."
            ),
            "\n".join(f"bentocola fault {usage}\n    {does}" for usage, does in faults)
            + "\n\nbentocola fault [--clear]\n"
            + say(
                "Plans a fault for the next call that it fits, or with --on for the N-th. "
                "Without a kind it prints what is planned; --clear forgets all of it."
            )
            + "\n"
            + say("Example: {command}", command="bentocola fault throttle dynamodb:PutItem --by lambda"),
            "bentocola help | --version",
        )
    )
