"""`aws logs tail`, which version 2 of the AWS CLI documents and version 1 lacks.

It reads with FilterLogEvents. Source: https://docs.aws.amazon.com/cli/latest/reference/logs/tail.html
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, datetime
from typing import Any

from awscli.compat import get_stdout_text_writer
from awscli.customizations.commands import BasicCommand
from awscli.utils import is_a_tty
from botocore.utils import parse_timestamp

__all__ = ["register"]

_SECONDS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
_POLL_SECONDS = 1
"""Between two looks of --follow. Version 2 waits five seconds, because AWS counts the calls."""
_GREEN, _CYAN, _PLAIN = "\033[32m", "\033[36m", "\033[0m"


def register(events: Any) -> None:
    """Add the command. `events`: the session's event emitter."""
    events.register("building-command-table.logs", _add)


def _add(command_table: dict[str, Any], session: Any, **event: Any) -> None:
    command_table["tail"] = _Tail(session)


class _Tail(BasicCommand):  # type: ignore[misc]
    NAME = "tail"
    DESCRIPTION = (
        "Tails the logs for a CloudWatch Logs group. By default, the command returns logs from all associated streams "
        "during the past ten minutes."
    )
    ARG_TABLE = [  # noqa: RUF012
        {"name": "group_name", "positional_arg": True, "help_text": "The name of the log group."},
        {
            "name": "since",
            "default": "10m",
            "help_text": "From when: an ISO 8601 timestamp, or one of 5s, 5m, 5h, 5d, 5w.",
        },
        {"name": "follow", "action": "store_true", "default": False, "help_text": "Wait for new logs until Ctrl+C."},
        {
            "name": "format",
            "default": "detailed",
            "choices": ["detailed", "short", "json"],
            "help_text": "detailed (time, stream and message), short (time and message), or json (messages laid out).",
        },
        {"name": "filter-pattern", "help_text": "The filter pattern to use."},
        {"name": "log-stream-names", "nargs": "+", "help_text": "The streams to look at."},
        {"name": "log-stream-name-prefix", "help_text": "How the names of the streams to look at begin."},
    ]

    def _run_main(self, parsed_args: Any, parsed_globals: Any) -> int:
        client = self._session.create_client(
            "logs",
            region_name=parsed_globals.region,
            endpoint_url=parsed_globals.endpoint_url,
            verify=parsed_globals.verify_ssl,
        )
        asked = {
            "logGroupName": parsed_args.group_name,
            "startTime": _milliseconds(parsed_args.since),
            "filterPattern": parsed_args.filter_pattern,
            "logStreamNames": parsed_args.log_stream_names,
            "logStreamNamePrefix": parsed_args.log_stream_name_prefix,
        }
        asked = {name: value for name, value in asked.items() if value is not None}
        colours = parsed_globals.color == "on" or (parsed_globals.color == "auto" and is_a_tty())
        output = get_stdout_text_writer()
        try:
            for event in _events(client, asked, follow=parsed_args.follow):
                output.write(_line(event, parsed_args.format, colours) + "\n")
                output.flush()
        except KeyboardInterrupt:
            if not parsed_args.follow:
                raise
        return 0


def _milliseconds(since: str) -> int:
    relative = re.fullmatch(r"(\d+)([smhdw])", since)
    if relative:
        return int((time.time() - int(relative[1]) * _SECONDS[relative[2]]) * 1000)
    return int(parse_timestamp(since).timestamp() * 1000)


def _events(client: Any, asked: dict[str, Any], *, follow: bool) -> Iterator[dict[str, Any]]:
    """Yield each event once; with `follow`, for ever."""
    seen: set[str] = set()
    newest = asked["startTime"]
    while True:
        fresh: set[str] = set()
        for page in client.get_paginator("filter_log_events").paginate(**{**asked, "startTime": newest}):
            for event in page["events"]:
                if event["timestamp"] > newest:
                    newest, fresh = event["timestamp"], set()
                if event["timestamp"] == newest:
                    fresh.add(event["eventId"])
                if event["eventId"] not in seen:
                    yield event
        if not follow:
            return
        seen = fresh  # the next look begins with the newest events, which come again
        time.sleep(_POLL_SECONDS)


def _line(event: dict[str, Any], form: str, colours: bool) -> str:
    when = datetime.fromtimestamp(event["timestamp"] / 1000, UTC)
    times = {"detailed": when.isoformat(timespec="microseconds"), "short": f"{when:%Y-%m-%dT%H:%M:%S}"}
    parts = [_coloured(times.get(form, when.isoformat()), _GREEN, colours)]
    if form != "short":
        parts.append(_coloured(event["logStreamName"], _CYAN, colours))
    message = event["message"]
    if form == "json":
        with suppress(ValueError):
            message = "\n" + json.dumps(json.loads(message), indent=4)
    return " ".join([*parts, message]).rstrip()


def _coloured(text: str, colour: str, colours: bool) -> str:
    return f"{colour}{text}{_PLAIN}" if colours else text
