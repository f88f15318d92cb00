"""`bentocola lab …`: it finds the lab's command, and asks a lab that is open: whether a step is done, to begin anew, to end.

Whatever judges a student's work is in the lab's server; here it is asked and printed.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bentocola.cli import asking, ready
from bentocola.cli.asking import output
from bentocola.cli.language import CommandError, say, speak
from bentocola.cli.options import Parser

__all__ = ["lab"]


def lab(arguments: list[str]) -> int:
    """Run one of the lab's commands, and return its exit status: 0 when a check holds, 1 when it does not yet."""
    command, *rest = arguments or ["help"]
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
                known=say(", ").join(("start", "terminal", *_COMMANDS)),
            )
        )
    return _COMMANDS[command](rest)


def _check(arguments: list[str]) -> int:
    parser = Parser("lab check")
    parser.add_argument("step", nargs="?")
    found, options = _found(parser, arguments)
    step = int(options.step) if options.step and options.step.isdecimal() else options.step
    return _print_verdict(_ask(found, "POST", "lab/check", {"step": step}))


def _cleanup_check(arguments: list[str]) -> int:
    found, _ = _found(Parser("lab cleanup-check"), arguments)
    return _print_verdict(_ask(found, "POST", "lab/cleanup-check"))


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
        raise CommandError(_proves_nothing(ready.ended(found.again))) from None
    output("\n".join(said))
    return 0


def _list(arguments: list[str]) -> int:
    """Print the labs of the course, and where each is open."""
    from bentocola.labs import catalogue

    Parser("lab list").parse(arguments)
    opened = ready.labs()
    for name in catalogue.labs():
        told = catalogue.read_lab(name)
        output(f"{told.module}  {name}  {catalogue.title(told, say)}")
        output(f"    {catalogue.exam_tasks(told, say)}")
        for one in opened:
            if one.lab is not None and one.lab["name"] == name:
                output(
                    "    "
                    + say(
                        "Open: prefix {prefix}, {endpoint}, folder {folder}",
                        prefix=one.lab["prefix"],
                        endpoint=one.endpoint,
                        folder=one.lab["folder"],
                    )
                )
    return 0


_COMMANDS: dict[str, Callable[[list[str]], int]] = {
    "check": _check,
    "cleanup-check": _cleanup_check,
    "reset": _reset,
    "stop": _stop,
    "list": _list,
}


def _found(parser: Parser, arguments: list[str]) -> tuple[ready.Ready, Any]:
    """The lab to ask, whose language is spoken from here on, and the options. Raises CommandError."""
    parser.add_argument("--ready-file")
    options = parser.parse(arguments)
    try:
        found = ready.find_lab(options.ready_file)
    except CommandError as error:
        raise CommandError(_proves_nothing(str(error))) from None
    if found.lab is not None:
        speak(found.lab["language"])
    return found, options


def _ask(found: ready.Ready, method: str, what: str, asked: dict[str, Any] | None = None) -> Any:
    try:
        return asking.ask(found.endpoint, method, what, asked)
    except asking.Refused as refused:
        raise CommandError(str(refused)) from None
    except asking.NotAnswered:
        raise CommandError(_proves_nothing(ready.ended(found.again))) from None


def _proves_nothing(said: str) -> str:
    return f"{said}\n{say('Nothing was checked, and nothing is proven by that.')}"


def _print_verdict(told: dict[str, Any]) -> int:
    lines = [f"✓ {sentence}" for sentence in told["proven"]] + [f"✗ {sentence}" for sentence in told["missing"]]
    lines += [f"→ {sentence}" for sentence in told["remarks"]]
    lines.append(
        say("Proven: it holds.") if told["holds"] else say("Not yet: do what the line with ✗ says, and check again.")
    )
    output("\n".join(lines))
    return 0 if told["holds"] else 1
