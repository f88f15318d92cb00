"""`bentocola clock`, `trace` and `fault`: they ask the control door of the cloud that is served, and print what it says."""

from __future__ import annotations

import json
import sys
from typing import Any

from bentocola.cli import finding
from bentocola.cli.asking import NotAnswered, Refused, Silent, ask, output
from bentocola.cli.language import CommandError, say
from bentocola.cli.options import Parser
from bentocola.cli.ready import Ready

__all__ = ["clock", "fault", "trace"]

_DEFAULTS = {"on": 1, "times": 1, "by": None}
_WITHOUT_OPERATION = ("deliver-again", "reorder", "delay-event")


def clock(arguments: list[str]) -> int:
    """Print the local cloud's time, or move it and print it. Raises CommandError."""
    parser = Parser("clock")
    parser.add_argument("action", nargs="?")
    parser.add_argument("seconds", nargs="?")
    options = parser.parse(arguments)
    if options.action not in (None, "advance") or (options.action and options.seconds is None):
        raise CommandError(
            say("bentocola clock expects nothing, or advance and the seconds: bentocola clock advance 30")
        )
    found = finding.find(None)
    move = ("POST", "clock", {"advance": _number(options.seconds)}) if options.action else ("GET", "clock")
    output(_ask(found, *move)["now"])
    return 0


def trace(arguments: list[str]) -> int:
    """Print what happened, as a story or as data. Raises CommandError."""
    parser = Parser("trace")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--clear", action="store_true")
    options = parser.parse(arguments)
    found = finding.find(None)
    data = _ask(found, "DELETE" if options.clear else "GET", "trace")
    if options.clear and not options.json:
        output(say("The trace is empty now, and begins anew."))
    elif options.json:
        in_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        output(json.dumps(data, ensure_ascii=not in_unicode, indent=2))
    else:
        from bentocola.cloud.story import tell

        output("\n".join(tell(found.edition, data)))
    return 0


def fault(arguments: list[str]) -> int:
    """Plan a fault, or forget all; then print what is planned, each as one would ask for it. Raises CommandError."""
    parser = Parser("fault")
    parser.add_argument("kind", nargs="?")
    parser.add_argument("operation", nargs="?")
    for name in ("--on", "--times", "--by", "--seconds"):
        parser.add_argument(name)
    parser.add_argument("--clear", action="store_true")
    options = parser.parse(arguments)
    asked = {name: value for name, value in vars(options).items() if name != "clear" and value is not None}
    for name in {"on", "times", "seconds"} & set(asked):
        asked[name] = _number(asked[name])
    found = finding.find(None)
    if options.clear:
        _ask(found, "DELETE", "faults")
    told = _ask(found, "POST", "faults", asked) if asked else _ask(found, "GET", "faults")
    lines = [_line(one) for one in told["planned"]]
    if by_chance := told["by_chance"]:
        values = {"seed": by_chance["seed"], **by_chance["chances"], "delay_seconds": by_chance["delay_seconds"]}
        lines.append(" ".join(f"{name}={value}" for name, value in values.items()))
    output("\n".join([say("Planned:"), *lines]) if lines else say("No fault is planned."))
    return 0


def _line(planned: dict[str, Any]) -> str:
    """A planned fault in the words of the command that plans it."""
    kind = planned["kind"].replace("_", "-").replace("lost-", "lose-")
    words = [kind] if kind in _WITHOUT_OPERATION else [kind, planned["operation"]]
    if kind == "delay-event":
        words.append(f"--seconds {planned['seconds']:g}")
    words += [f"--{name} {planned[name]}" for name, usual in _DEFAULTS.items() if planned[name] != usual]
    return " ".join(words)


def _number(text: str) -> float | str:
    """A number; what is none stays as it is, and the cloud says what it expects."""
    for read in (int, float):
        try:
            return read(text)
        except ValueError:
            continue
    return text


def _ask(found: Ready, method: str, what: str, asked: dict[str, Any] | None = None) -> Any:
    """Ask the control door. Raises CommandError with its sentence for a refusal, and one of ours where it gives none."""
    try:
        return ask(found.endpoint, method, what, asked)
    except Refused as refused:
        raise CommandError(str(refused)) from None
    except Silent:
        raise CommandError(finding.silent(found.endpoint)) from None
    except NotAnswered:
        raise CommandError(
            say(
                "The local cloud at {endpoint} did not answer as it should. Start it again with: bentocola serve",
                endpoint=found.endpoint,
            )
        ) from None
