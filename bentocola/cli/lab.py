"""`bentocola lab …`: it finds the lab's command, and asks a lab that is open: whether a step is done, to begin anew, to end.

Whatever judges a student's work is in the lab's server; here it is asked and printed.
"""

from __future__ import annotations

from collections.abc import Callable
from textwrap import indent
from typing import Any

from bentocola.cli import asking, finding
from bentocola.cli.asking import output
from bentocola.cli.language import CommandError, say, speak
from bentocola.cli.options import Parser
from bentocola.cli.ready import Ready
from bentocola.messages import listed

__all__ = ["lab"]

_INDENT = " " * 4


def lab(arguments: list[str]) -> int:
    """Run one of the lab's commands, and return its exit status: 0 when a check holds, 1 when it does not yet."""
    known = listed(("start", "terminal", *_COMMANDS))
    if not arguments:
        raise CommandError(say("bentocola lab expects a command. It has: {known}.", known=known))
    command, *rest = arguments
    if command == "start":
        from bentocola.cli.lab_start import start

        return start(rest)
    if command == "terminal":
        from bentocola.cli.lab_terminal import terminal

        return terminal(rest)
    if command not in _COMMANDS:
        raise CommandError(
            say(
                "bentocola lab has no command '{command}'. It has: {known}.",
                command=command,
                known=known,
            )
        )
    return _COMMANDS[command](rest)


def _check(arguments: list[str]) -> int:
    parser = Parser("lab check")
    parser.add_argument("step", nargs="?")
    found, options = _found(parser, arguments)
    step = int(options.step) if options.step and options.step.isdecimal() else options.step
    return _print_verdict(_ask(found, "POST", "lab/check", {"step": step}), say("Proven: it holds."))


def _cleanup_check(arguments: list[str]) -> int:
    found, _ = _found(Parser("lab cleanup-check"), arguments)
    return _print_verdict(_ask(found, "POST", "lab/cleanup-check"), say("All is clean: nothing is left to delete."))


def _reset(arguments: list[str]) -> int:
    found, _ = _found(Parser("lab reset"), arguments)
    output("\n".join(_ask(found, "POST", "lab/reset")["said"]))
    return 0


def _stop(arguments: list[str]) -> int:
    """End the lab, and wait until its port is free."""
    found, _ = _found(Parser("lab stop"), arguments)
    try:
        with asking.until_closed(found.endpoint):
            said = _ask(found, "POST", "lab/stop")["said"]
    except asking.NotAnswered:
        raise CommandError(_proves_nothing(finding.ended(found.again))) from None
    output("\n".join(said))
    return 0


def _list(arguments: list[str]) -> int:
    """Print the labs of the course, and where each is open."""
    from bentocola.labs import catalogue

    Parser("lab list").parse(arguments)
    opened = finding.labs()
    for name in catalogue.labs():
        told = catalogue.read_lab(name)
        title = " / ".join(catalogue.title(told, say).splitlines())
        output(f"{told.module}  {name}  {title}")
        output(indent(catalogue.exam_tasks(told, say), _INDENT))
        for one in opened:
            if one.lab is not None and one.lab["name"] == name:
                there = say(
                    "Open: prefix {prefix}, {endpoint}, folder {folder}",
                    prefix=one.lab["prefix"],
                    endpoint=one.endpoint,
                    folder=one.lab["folder"],
                )
                output(indent(there, _INDENT))
    return 0


_COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "check": _check,
    "cleanup-check": _cleanup_check,
    "reset": _reset,
    "stop": _stop,
    "list": _list,
}


def _found(parser: Parser, arguments: list[str]) -> tuple[Ready, Any]:
    """The lab to ask, whose language is spoken from here on, and the options. Raises CommandError."""
    parser.add_argument("--ready-file")
    options = parser.parse(arguments)
    try:
        found = finding.find_lab(options.ready_file)
    except CommandError as error:
        raise CommandError(_proves_nothing(str(error))) from None
    if found.lab is not None:
        speak(found.lab["language"])
    return found, options


def _ask(found: Ready, method: str, what: str, asked: dict[str, Any] | None = None) -> Any:
    try:
        return asking.ask(found.endpoint, method, what, asked)
    except asking.Refused as refused:
        raise CommandError(str(refused)) from None
    except asking.Silent:
        raise CommandError(_proves_nothing(finding.silent(found.endpoint))) from None
    except asking.NotAnswered:
        raise CommandError(_proves_nothing(finding.ended(found.again))) from None


def _proves_nothing(said: str) -> str:
    return f"{said}\n{say('Nothing was checked, and nothing is proven by that.')}"


def _print_verdict(told: dict[str, Any], it_holds: str) -> int:
    lines = [f"✓ {sentence}" for sentence in told["proven"]] + [f"✗ {sentence}" for sentence in told["missing"]]
    lines += [f"→ {sentence}" for sentence in told["remarks"]]
    lines.append(it_holds if told["holds"] else say("Not yet: do what the line with ✗ says, and check again."))
    output("\n".join(lines))
    return 0 if told["holds"] else 1
