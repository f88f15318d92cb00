"""Log events as CloudWatch Logs takes and finds them: what a batch may hold, filter patterns, the ends of a range, pages.

AWS: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/ API_PutLogEvents.html, API_FilterLogEvents.html,
API_GetLogEvents.html and API_RejectedLogEventsInfo.html
moto 5.2.5 (`moto/logs/models.py`, `responses.py`): FilterLogEvents gives back everything for a pattern of any other form than
terms and one phrase, reads the pattern anew for each event, knows no `logStreamNamePrefix`, `startFromHead` and
`logGroupIdentifier`, goes stream by stream, lists searched streams, and gives an empty page for a token it does not know.
GetLogEvents includes events at `endTime`. A stream that is missing, or there already, is called a group. A group that is named
by an identifier is the last one that was made. PutLogEvents takes any number of events of any size from any span of time, and
is one off with the indexes of those it rejects: the last that is too old is exclusive, the first that is too new inclusive.

Messages: LocalStack's tests recorded those on order, streams, tokens and limits of AWS (`tests/aws/services/logs/*.snapshot.
json`); the one on size is quoted by users; the one on 24 hours is the documentation's sentence. Which words AWS has for stream
names with a prefix, and for `startFromHead` with a time before 2024, nobody tells: they are in the manner of others.
Left alone: subscription filters and metric filters, GetLogEvents' pages, which have no limit of 1 MB, and stored bytes.
"""

from __future__ import annotations

import base64
import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from bentocola.cloud.amendments import places
from bentocola.cloud.amendments.logs_patterns import InvalidPatternError, Matcher, matcher

__all__ = ["install", "put", "self_test"]

_HOUR = 3_600_000
_DAY = 24 * _HOUR
_MOST_EVENTS = 10_000
_MOST_BYTES = 1_048_576
_OVERHEAD = 26
"""Bytes that an event counts beyond its message."""
_LONGEST_PATTERN = 1024
_OLDEST_FOR_LATEST_FIRST = 1_704_067_200_000
"""2024-01-01T00:00:00Z. Before that, events are found from the earliest on only."""
_of_moto: dict[str, Callable[..., Any]] = {}
"""moto's own functions by their names, once `install` has put the amended ones in their place."""
_Position = tuple[int, int, int]
"""Where an event stands among all of its group: its time, when it was taken in, its number."""


def put(region: str, group: str, stream: str, lines: list[tuple[int, str]]) -> None:
    """Append lines, each with its time in milliseconds since 1970, as Lambda does. Group and stream are made if need be.

    Nothing is checked, and the time it takes does not grow with what the stream holds.
    """
    import moto.core
    from moto.logs.models import logs_backends

    core: Any = moto.core  # as a value: it does not export the number
    backend = logs_backends[core.DEFAULT_ACCOUNT_ID][region]
    if group not in backend.groups:
        backend.create_log_group(group, {})
    streams = backend.groups[group].streams
    if stream not in streams:
        backend.groups[group].create_log_stream(stream)
    if lines:
        streams[stream].put_log_events([{"timestamp": time, "message": message} for time, message in lines])


# Taking events in


def _put_log_events(
    self: Any, log_group_name: str, log_stream_name: str, log_events: list[dict[str, Any]]
) -> tuple[str, dict[str, Any]]:
    """Keep the events of a batch that AWS takes, and tell which of them are too old or too new."""
    from moto.core.utils import unix_time_millis
    from moto.logs.exceptions import InvalidParameterException, ResourceNotFoundException

    _check_batch(log_events)
    group = self.groups.get(log_group_name)
    if group is None:
        raise ResourceNotFoundException
    stream = group.streams.get(log_stream_name)
    if stream is None:
        raise ResourceNotFoundException("The specified log stream does not exist.")
    times = [event["timestamp"] for event in log_events]
    if any(later < earlier for earlier, later in zip(times, times[1:], strict=False)):
        raise InvalidParameterException("Log events in a single PutLogEvents request must be in chronological order.")
    now = round(unix_time_millis())
    oldest, newest = now - 14 * _DAY, now + 2 * _HOUR
    kept_since = now - int(group.retention_in_days) * _DAY if group.retention_in_days else oldest
    rejected: dict[str, int] = {}
    if too_old := sum(time < oldest for time in times):
        rejected["tooOldLogEventEndIndex"] = too_old
    first = sum(time < max(oldest, kept_since) for time in times)
    if first > too_old:
        rejected["expiredLogEventEndIndex"] = first
    end = len(times) - sum(time > newest for time in times)
    if end < len(times):
        rejected["tooNewLogEventStartIndex"] = end
    allowed = log_events[first:end]
    if allowed and allowed[-1]["timestamp"] - allowed[0]["timestamp"] > _DAY:
        raise InvalidParameterException(
            "The batch of log events in a single PutLogEvents request cannot span more than 24 hours."
        )
    token = stream.put_log_events(allowed) if allowed else f"{stream.upload_sequence_token:056d}"
    return token, rejected


def _check_batch(log_events: Any) -> None:
    """Refuse a batch for what it is, whatever it is sent to."""
    from moto.logs.exceptions import InvalidParameterException

    if not 1 <= len(log_events) <= _MOST_EVENTS:
        bound = "greater than or equal to 1" if not log_events else f"less than or equal to {_MOST_EVENTS}"
        raise _constraint("logEvents", f"Member must have length {bound}")
    for number, event in enumerate(log_events, 1):
        if not event["message"]:
            raise _constraint(
                f"logEvents.{number}.member.message", "Member must have length greater than or equal to 1", ""
            )
    size = sum(len(event["message"].encode()) + _OVERHEAD for event in log_events)
    if size > _MOST_BYTES:
        raise InvalidParameterException(f"Upload too large: {size} bytes exceeds limit of {_MOST_BYTES}")


def _constraint(parameter: str, constraint: str, value: Any = None) -> Exception:
    """Return what AWS answers to a value outside of the bounds in its API's description."""
    from moto.logs.exceptions import InvalidParameterException

    given = "" if value is None else f" '{value}'"
    return InvalidParameterException(
        f"1 validation error detected: Value{given} at '{parameter}' failed to satisfy constraint: {constraint}"
    )


_GROUP_NAME = r"[\.\-_/#A-Za-z0-9]+"
"""https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_CreateLogGroup.html"""


def _create_log_group(self: Any, log_group_name: str, tags: dict[str, str], **kwargs: Any) -> Any:
    """moto's, for a name of the characters that it may have."""
    if not re.fullmatch(_GROUP_NAME, log_group_name):
        constraint = f"Member must satisfy regular expression pattern: {_GROUP_NAME}"
        raise _constraint("logGroupName", constraint, log_group_name)
    return _of_moto["create_log_group"](self, log_group_name, tags, **kwargs)


# Finding events


def _find_log_group(self: Any, log_group_id: str | None = None, log_group_name: str | None = None) -> Any:
    """Return the group under its name, or under its identifier: the name or the ARN."""
    from moto.logs.exceptions import InvalidParameterException, ResourceNotFoundException, ValidationException

    if log_group_id and log_group_name:
        raise ValidationException("LogGroup name and LogGroup ARN are mutually exclusive parameters.")
    if not log_group_id and not log_group_name:
        raise InvalidParameterException
    wanted = log_group_name or str(log_group_id).partition(":log-group:")[2].removesuffix(":*") or log_group_id
    group = self.groups.get(wanted)
    if group is None:
        raise ResourceNotFoundException
    return group


def _filter_log_events(self: Any) -> str:
    """Answer FilterLogEvents: a page of the events that match, of all streams together, oldest or newest first."""
    from moto.logs.exceptions import InvalidParameterException

    parameter = self._get_param
    names, prefix = parameter("logStreamNames"), parameter("logStreamNamePrefix")
    limit, token, start = parameter("limit"), parameter("nextToken"), parameter("startTime")
    latest_first = parameter("startFromHead") is False
    if limit is not None and not 1 <= limit <= _MOST_EVENTS:
        bound = "greater than or equal to 1" if limit < 1 else f"less than or equal to {_MOST_EVENTS}"
        raise _constraint("limit", f"Member must have value {bound}", limit)
    if names and prefix:
        raise InvalidParameterException("Only one of logStreamNames or logStreamNamePrefix can be provided.")
    if latest_first and start is not None and start < _OLDEST_FOR_LATEST_FIRST:
        raise InvalidParameterException(
            "startFromHead can be false only when startTime is on or after January 1, 2024."
        )
    matches = _matcher(parameter("filterPattern"))
    group = self.logs_backend._find_log_group(parameter("logGroupIdentifier"), parameter("logGroupName"))
    after = None
    if token is not None:
        latest_first, after = _read_token(token, group.name)
    streams = [
        stream
        for name, stream in group.streams.items()
        if (not names or name in names) and name.startswith(prefix or "")
    ]
    found = _in_order(streams, start, parameter("endTime"), latest_first)
    page, last = _page(
        (one for one in found if _is_beyond(one[0], after, latest_first)), matches, limit or _MOST_EVENTS
    )
    answer: dict[str, Any] = {"events": page, "searchedLogStreams": []}
    if last is not None:
        answer["nextToken"] = _token(group.name, latest_first, last)
    return json.dumps(answer)


def _matcher(pattern: str | None) -> Matcher:
    from moto.logs.exceptions import InvalidParameterException

    if pattern and len(pattern) > _LONGEST_PATTERN:
        raise _constraint("filterPattern", f"Member must have length less than or equal to {_LONGEST_PATTERN}", pattern)
    try:
        return matcher(pattern or "")
    except InvalidPatternError as error:
        raise InvalidParameterException(str(error)) from None


def _in_order(
    streams: list[Any], start: int | None, end: int | None, latest_first: bool
) -> list[tuple[_Position, str, Any]]:
    """Return the events from `start` to `end`, both included, with where they stand and their stream's name."""
    events = [
        ((event.timestamp, event.ingestion_time, event.event_id), stream.log_stream_name, event)
        for stream in streams
        for event in stream.events
        if (start is None or event.timestamp >= start) and (end is None or event.timestamp <= end)
    ]
    return sorted(events, key=lambda one: one[0], reverse=latest_first)


def _is_beyond(position: _Position, after: _Position | None, latest_first: bool) -> bool:
    return after is None or (position < after if latest_first else position > after)


def _page(
    events: Iterable[tuple[_Position, str, Any]], matches: Matcher, limit: int
) -> tuple[list[dict[str, Any]], _Position | None]:
    """Return up to `limit` matching events, or 1 MB of them, and where the last one stands if there are more."""
    page: list[dict[str, Any]] = []
    last, size = None, 0
    for position, stream, event in events:
        if not matches(event.message):
            continue
        size += len(event.message.encode()) + _OVERHEAD
        if page and (len(page) == limit or size > _MOST_BYTES):
            return page, last
        page.append({"logStreamName": stream, **event.to_filter_dict()})
        last = position
    return page, None


def _token(group: str, latest_first: bool, last: _Position) -> str:
    return base64.urlsafe_b64encode(json.dumps([group, latest_first, *last]).encode()).decode()


def _read_token(token: str, group: str) -> tuple[bool, _Position]:
    from moto.logs.exceptions import InvalidParameterException

    try:
        named, latest_first, time, taken_in, number = json.loads(base64.urlsafe_b64decode(token))
    except (ValueError, TypeError):
        named = None
    if named != group:
        raise InvalidParameterException("The specified nextToken is invalid.")
    return bool(latest_first), (time, taken_in, number)


def _get_log_events(
    self: Any,
    log_stream_name: str,
    start_time: int | None,
    end_time: int | None,
    limit: int | None,
    next_token: str | None,
    start_from_head: bool,
) -> Any:
    """Answer as moto does, but that `endTime` is not part of the range and that a missing stream is called so."""
    from moto.logs.exceptions import ResourceNotFoundException

    if log_stream_name not in self.streams:
        raise ResourceNotFoundException("The specified log stream does not exist.")
    if limit is not None and limit < 1:
        raise _constraint("limit", "Member must have value greater than or equal to 1", limit)
    before = None if end_time is None else end_time - 0.5  # times are whole milliseconds
    return _of_moto["get_log_events"](self, log_stream_name, start_time, before, limit, next_token, start_from_head)


def _create_log_stream(self: Any, log_stream_name: str) -> None:
    """Make a stream as moto does, but call one that is there already a stream, not a group."""
    from moto.logs.exceptions import LogsClientError

    if log_stream_name in self.streams:
        raise LogsClientError("ResourceAlreadyExistsException", "The specified log stream already exists")
    _of_moto["create_log_stream"](self, log_stream_name)


class _EventFilter:
    """What moto's Live Tail asks whether a message matches."""

    def __init__(self, pattern: str) -> None:
        self.matches = _matcher(pattern)


def _amended() -> Iterator[places.Place]:
    from moto.logs import models, responses

    yield models.LogsBackend, "put_log_events", _put_log_events
    yield models.LogsBackend, "create_log_group", _create_log_group
    yield models.LogsBackend, "_find_log_group", _find_log_group
    yield models.LogGroup, "create_log_stream", _create_log_stream
    yield models.LogGroup, "get_log_events", _get_log_events
    yield responses.LogsResponse, "filter_log_events", _filter_log_events
    yield models, "EventMessageFilter", _EventFilter


def install() -> None:
    """Put the documented rules in the place of moto's own."""
    places.put(_amended(), _of_moto)


def self_test() -> None:
    """Raise if this moto no longer keeps log events as they are read here, with the functions amended here."""
    from moto.logs.models import LogEvent, LogGroup, LogStream

    places.expect_signatures(_amended())
    for kind, fields in (
        (LogGroup, {"streams", "retention_in_days"}),
        (LogStream, {"events", "log_stream_name", "upload_sequence_token"}),
    ):
        if missing := fields - set(kind.__init__.__code__.co_names):
            raise TypeError(f"{kind.__name__} has no {', '.join(sorted(missing))}")
    event = LogEvent(1, {"timestamp": 2, "message": "a"})
    if {"eventId": str(event.event_id), "ingestionTime": 1, "message": "a", "timestamp": 2} != event.to_filter_dict():
        raise TypeError(f"a log event is not as expected: {event.to_filter_dict()}")
