"""`bentocola clock`, `trace` and `fault`: they ask the control door of the cloud that is served, and print what it says.

The standard library is all that they need, so that they are there at once; boto3 and moto would cost each of them a second.
"""

from __future__ import annotations

import http.client
import io
import json
import os
import sys
from typing import Any
from urllib.parse import urlsplit

from bentocola.cli import ready
from bentocola.cli.language import CommandError, say
from bentocola.cli.options import Parser

__all__ = ["clock", "fault", "trace"]

_PATIENCE_SECONDS = 60
"""A move of the clock ends once all that was due has happened."""

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
    found = ready.find(None)
    move = ("POST", "clock", {"advance": _number(options.seconds)}) if options.action else ("GET", "clock")
    _print(_ask(found, *move)["now"])
    return 0


def trace(arguments: list[str]) -> int:
    """Print what happened, as a story or as data. Raises CommandError."""
    parser = Parser("trace")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--clear", action="store_true")
    options = parser.parse(arguments)
    found = ready.find(None)
    data = _ask(found, "DELETE" if options.clear else "GET", "trace")
    if options.clear and not options.json:
        _print(say("The trace is empty now, and begins anew."))
    elif options.json:
        in_unicode = (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
        _print(json.dumps(data, ensure_ascii=not in_unicode, indent=2))
    else:
        from bentocola.cloud.story import tell

        _print("\n".join(tell(found.edition, data)))
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
    found = ready.find(None)
    if options.clear:
        _ask(found, "DELETE", "faults")
    told = _ask(found, "POST", "faults", asked) if asked else _ask(found, "GET", "faults")
    lines = [_line(one) for one in told["planned"]]
    if by_chance := told["by_chance"]:
        values = {"seed": by_chance["seed"], **by_chance["chances"], "delay_seconds": by_chance["delay_seconds"]}
        lines.append(" ".join(f"{name}={value}" for name, value in values.items()))
    _print("\n".join([say("Planned:"), *lines]) if lines else say("No fault is planned."))
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


def _ask(found: ready.Ready, method: str, what: str, asked: dict[str, Any] | None = None) -> Any:
    """Ask the control door. Raises CommandError with its sentence for a refusal, and one of ours where it gives none."""
    # urllib would send what is for this machine to the person's proxy.
    connection = http.client.HTTPConnection(urlsplit(found.endpoint).netloc, timeout=_PATIENCE_SECONDS)
    try:
        connection.request(method, f"/_bentocola/{what}", None if asked is None else json.dumps(asked))
        response = connection.getresponse()
        told = json.loads(response.read())
        if not isinstance(told, dict) or (response.status != 200 and "error" not in told):
            raise ValueError  # noqa: TRY301
    except (OSError, http.client.HTTPException, ValueError):
        raise CommandError(
            say(
                "The local cloud at {endpoint} did not answer as it should. Start it again with: bentocola serve",
                endpoint=found.endpoint,
            )
        ) from None
    finally:
        connection.close()
    if response.status != 200:
        raise CommandError(told["error"])
    return told


def _print(text: str) -> None:
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(
            errors="backslashreplace"
        )  # a name of a bucket's key may hold what a terminal cannot show
    try:
        print(text, flush=True)
    except BrokenPipeError:  # `head` has seen enough; Python's own last flush would complain
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
