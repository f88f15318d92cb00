"""CloudWatch Logs: what PutLogEvents takes, and what FilterLogEvents and GetLogEvents find.

https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutLogEvents.html and API_FilterLogEvents.html
"""

from __future__ import annotations

import json
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from bentocola.cloud.amendments import logs_events
from bentocola.cloud.cloud import Cloud

GROUP = "/aws/lambda/pedidos"
HOUR = 3_600_000
DAY = 24 * HOUR


class Logs:
    """A log group with two streams, and short ways to use it."""

    def __init__(self, cloud: Cloud) -> None:
        self.clock = cloud.clock
        # Without checks of its own, so that what boto3 refuses by itself comes to the service as well.
        self.client = boto3.client("logs", config=Config(parameter_validation=False))
        self.start = round(cloud.clock.now().timestamp() * 1000)
        self.client.create_log_group(logGroupName=GROUP)
        for stream in ("a", "b"):
            self.client.create_log_stream(logGroupName=GROUP, logStreamName=stream)

    def put(self, *events: tuple[int, str], stream: str = "a") -> Any:
        """Put events, each with its time from the start in milliseconds. Return the answer."""
        batch = [{"timestamp": self.start + since, "message": message} for since, message in events]
        return self.client.put_log_events(logGroupName=GROUP, logStreamName=stream, logEvents=batch)

    def find(self, pattern: str | None = None, **options: Any) -> list[str]:
        """Return the messages that FilterLogEvents finds."""
        return messages(self.filter(**({} if pattern is None else {"filterPattern": pattern}), **options))

    def filter(self, **options: Any) -> Any:
        """Ask FilterLogEvents for events of the group."""
        return self.client.filter_log_events(**{"logGroupName": GROUP, **options})

    def get(self, stream: str = "a", **options: Any) -> list[str]:
        """Return the messages that GetLogEvents gives of one stream."""
        return messages(self.client.get_log_events(logGroupName=GROUP, logStreamName=stream, **options))


def messages(answer: Any) -> list[str]:
    """Return the messages of an answer."""
    return [event["message"] for event in answer["events"]]


def error(raised: pytest.ExceptionInfo[ClientError]) -> tuple[str, str]:
    """Return code and message of what a client raised."""
    return raised.value.response["Error"]["Code"], raised.value.response["Error"]["Message"]


def invalid(said: str) -> tuple[str, str]:
    """Return what is raised for an invalid parameter."""
    return "InvalidParameterException", said


def constraint(value: str, parameter: str, bound: str) -> tuple[str, str]:
    """Return what is raised for a value out of its bounds."""
    return invalid(
        f"1 validation error detected: Value{value} at '{parameter}' failed to satisfy constraint: Member must have {bound}"
    )


@pytest.fixture
def logs(cloud: Cloud) -> Logs:
    """The group, empty."""
    return Logs(cloud)


def test_self_test() -> None:
    """This moto has what the amendment builds on."""
    logs_events.self_test()


# Patterns. Their syntax has tests of its own.

LINES = (
    (0, "INFO order 1\n"),
    (1, '{"level": "ERROR", "order_id": 3, "took": 12.5}\n'),
    (2, "ERROR order 3 not found\n"),
    (3, "REPORT RequestId: 1-2 Duration: 3 ms\n"),
)


@pytest.mark.parametrize(
    ("pattern", "numbers"),
    [
        ("", [0, 1, 2, 3]),
        ("ERROR", [1, 2]),
        ("?INFO ?REPORT", [0, 3]),
        ("order -ERROR", [0]),
        ('"not found"', [2]),
        ("ERROR order 3", [1, 2]),
        ('{ $.level = "ERROR" && $.took > 10 }', [1]),
        ("{ $.order_id = 4 }", []),
        ("%order [0-9]%", [0, 2]),
        ("[level=ERROR, ...]", [2]),
    ],
)
def test_pattern(logs: Logs, pattern: str, numbers: list[int]) -> None:
    """Only the events that match come back. moto gives all of them back for most of these."""
    logs.put(*LINES)

    assert logs.find(pattern) == [LINES[n][1] for n in numbers]


def test_moto_alone_does_not_filter(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the amendment a pattern of JSON finds everything, and so does `?term`."""
    logs.put(*LINES)
    for place, name, _ in logs_events._amended():
        monkeypatch.setattr(place, name, logs_events._of_moto[name])

    assert len(logs.find('{ $.level = "ERROR" }')) == len(logs.find("?nowhere")) == 4


@pytest.mark.parametrize(
    ("pattern", "said"),
    [
        ("request-id", "Invalid filter pattern"),
        ("{ $.level = ERROR", "If a filter pattern starts with '{' it must end with '}'"),
        ("{ level = ERROR }", "Invalid filter pattern"),
        ("%(a|b)%", "Invalid filter pattern"),
    ],
)
def test_invalid_pattern(logs: Logs, pattern: str, said: str) -> None:
    """A pattern that is none is refused, whatever the group holds."""
    with pytest.raises(ClientError) as raised:
        logs.find(pattern)

    assert error(raised) == invalid(said)


def test_pattern_that_is_too_long(logs: Logs) -> None:
    """A pattern has up to 1,024 characters."""
    assert logs.find("a" * 1024) == []
    with pytest.raises(ClientError) as raised:
        logs.find("a" * 1025)

    assert error(raised) == constraint(f" '{'a' * 1025}'", "filterPattern", "length less than or equal to 1024")


# Which events are looked at


def test_events_of_all_streams_in_order_of_time(logs: Logs) -> None:
    """The streams come interleaved, whatever `interleaved` says, and each event names its own."""
    logs.put((0, "1"), (2, "3"), stream="b")
    logs.put((1, "2"), (3, "4"), stream="a")
    answer = logs.filter(interleaved=False)

    assert messages(answer) == ["1", "2", "3", "4"]
    assert [event["logStreamName"] for event in answer["events"]] == ["b", "a", "b", "a"]
    assert answer["searchedLogStreams"] == []
    assert "nextToken" not in answer


def test_events_of_one_time_in_order_of_their_coming(logs: Logs) -> None:
    """What was taken in first comes first."""
    for stream, message in (("b", "1"), ("a", "2"), ("b", "3")):
        logs.put((0, message), stream=stream)

    assert logs.find() == ["1", "2", "3"]


def test_range_includes_both_ends(logs: Logs) -> None:
    """FilterLogEvents gives back what is at startTime and at endTime; GetLogEvents not what is at endTime."""
    logs.put(*[(n, str(n)) for n in range(5)])
    times: dict[str, Any] = {"startTime": logs.start + 1, "endTime": logs.start + 3}

    assert logs.find(**times) == ["1", "2", "3"]
    assert logs.get(**times) == ["1", "2"]


def test_streams_by_name_and_by_prefix(logs: Logs) -> None:
    """Streams are chosen by their names or by how they begin."""
    logs.client.create_log_stream(logGroupName=GROUP, logStreamName="ab")
    for stream in ("a", "ab", "b"):
        logs.put((0, stream), stream=stream)

    assert logs.find(logStreamNames=["a", "b"]) == ["a", "b"]
    assert logs.find(logStreamNamePrefix="a") == ["a", "ab"]


def test_streams_by_name_or_by_prefix_not_both(logs: Logs) -> None:
    """Both at once are refused."""
    with pytest.raises(ClientError) as raised:
        logs.find(logStreamNames=["a"], logStreamNamePrefix="a")

    assert error(raised)[0] == "InvalidParameterException"


def test_group_by_identifier(logs: Logs) -> None:
    """The name or the ARN of the group will do; moto takes whichever group was made last."""
    logs.put((0, "1"))
    logs.client.create_log_group(logGroupName="last")
    arn = f"arn:aws:logs:us-east-1:123456789012:log-group:{GROUP}"

    for identifier in (GROUP, arn):
        assert messages(logs.client.filter_log_events(logGroupIdentifier=identifier)) == ["1"]
        assert messages(logs.client.get_log_events(logGroupIdentifier=identifier, logStreamName="a")) == ["1"]
    with pytest.raises(logs.client.exceptions.ResourceNotFoundException):
        logs.client.filter_log_events(logGroupIdentifier="arn:aws:logs:us-east-1:123456789012:log-group:other")
    with pytest.raises(ClientError) as raised:
        logs.filter(logGroupIdentifier=arn)

    assert error(raised) == ("ValidationException", "LogGroup name and LogGroup ARN are mutually exclusive parameters.")


def test_unknown_group_and_stream(logs: Logs) -> None:
    """What is missing is called what it is."""
    missing = {
        "group": {"logGroupName": "other", "logStreamName": "a"},
        "stream": {"logGroupName": GROUP, "logStreamName": "other"},
    }
    with pytest.raises(ClientError) as raised:
        logs.filter(logGroupName="other")
    assert error(raised) == ("ResourceNotFoundException", "The specified log group does not exist.")
    for what, names in missing.items():
        for call, others in (
            (logs.client.get_log_events, {}),
            (logs.client.put_log_events, {"logEvents": [{"timestamp": logs.start, "message": "a"}]}),
        ):
            with pytest.raises(ClientError) as raised:
                call(**names, **others)
            assert error(raised) == ("ResourceNotFoundException", f"The specified log {what} does not exist.")


def test_stream_that_is_there_already(logs: Logs) -> None:
    """It is called a stream."""
    with pytest.raises(ClientError) as raised:
        logs.client.create_log_stream(logGroupName=GROUP, logStreamName="a")

    assert error(raised) == ("ResourceAlreadyExistsException", "The specified log stream already exists")


# Pages


def all_pages(logs: Logs, **options: Any) -> list[list[str]]:
    """Return the messages of each page, from the first to the last."""
    pages = []
    token: dict[str, str] = {}
    while True:
        answer = logs.filter(**options, **token)
        pages.append(messages(answer))
        if "nextToken" not in answer:
            return pages
        token = {"nextToken": answer["nextToken"]}


def test_pages(logs: Logs) -> None:
    """A page has as many events as it may; the token leads to those after it, and with the last page there is none."""
    logs.put(*[(n, str(n)) for n in range(0, 6, 2)], stream="a")
    logs.put(*[(n, str(n)) for n in range(1, 6, 2)], stream="b")

    assert all_pages(logs, limit=4) == [["0", "1", "2", "3"], ["4", "5"]]
    assert all_pages(logs, limit=3) == [["0", "1", "2"], ["3", "4", "5"]]
    assert all_pages(logs, limit=1, filterPattern="?1 ?4") == [["1"], ["4"]]


def test_pages_hold_what_comes_meanwhile(logs: Logs) -> None:
    """An event that comes between two pages is on the second, and none comes twice."""
    logs.put((0, "0"), (1, "1"))
    first = logs.filter(limit=1)
    logs.put((2, "2"), stream="b")

    assert messages(logs.filter(limit=5, nextToken=first["nextToken"])) == ["1", "2"]


def test_latest_first(logs: Logs) -> None:
    """With startFromHead false the newest come first, and the token keeps the direction."""
    logs.put((0, "0"), (1, "1"), (2, "2"))
    first = logs.filter(limit=2, startFromHead=False)

    assert messages(first) == ["2", "1"]
    assert messages(logs.filter(nextToken=first["nextToken"])) == ["0"]


def test_latest_first_only_since_2024(logs: Logs) -> None:
    """Before that year AWS does not go back."""
    assert logs.find(startFromHead=False, startTime=1_704_067_200_000) == []
    with pytest.raises(ClientError) as raised:
        logs.find(startFromHead=False, startTime=1_704_067_199_999)

    assert error(raised)[0] == "InvalidParameterException"


def test_page_of_one_megabyte(logs: Logs) -> None:
    """A page ends before its events are more than 1 MB."""
    for n in range(3):
        logs.put((n, str(n) * 400_000))

    assert [[len(message) for message in page] for page in all_pages(logs)] == [[400_000, 400_000], [400_000]]


@pytest.mark.parametrize("token", ["unknown", "", "W10=", "WyJhIiwgZmFsc2UsIDEsIDIsIDNd"])
def test_unknown_token(logs: Logs, token: str) -> None:
    """A token that is none, or another group's, is refused."""
    logs.put((0, "0"))
    with pytest.raises(ClientError) as raised:
        logs.filter(nextToken=token)

    assert error(raised) == invalid("The specified nextToken is invalid.")


@pytest.mark.parametrize("limit", [0, 10_001])
def test_limit(logs: Logs, limit: int) -> None:
    """A page has 1 to 10,000 events."""
    bound = "greater than or equal to 1" if limit == 0 else "less than or equal to 10000"
    for ask in (logs.filter, logs.get):
        with pytest.raises(ClientError) as raised:
            ask(limit=limit)
        assert error(raised) == constraint(f" '{limit}'", "limit", f"value {bound}")


# Taking events in


def test_events_that_are_too_old_or_too_new(logs: Logs) -> None:
    """They are left out, and the answer tells where the others begin and end: the first index is exclusive."""
    answer = logs.put(
        (-15 * DAY, "a"), (-14 * DAY - 1000, "b"), (-1000, "c"), (0, "d"), (2 * HOUR + 60_000, "e"), (3 * HOUR, "f")
    )

    assert answer["rejectedLogEventsInfo"] == {"tooOldLogEventEndIndex": 2, "tooNewLogEventStartIndex": 4}
    assert logs.find() == ["c", "d"]


def test_events_before_the_retention_period(logs: Logs) -> None:
    """What the group would not keep is left out as expired."""
    logs.client.put_retention_policy(logGroupName=GROUP, retentionInDays=1)
    answer = logs.put((-2 * DAY, "a"), (0, "b"))

    assert answer["rejectedLogEventsInfo"] == {"expiredLogEventEndIndex": 1}
    assert logs.find() == ["b"]


def test_nothing_but_rejected_events(logs: Logs) -> None:
    """The call succeeds all the same."""
    answer = logs.put((-15 * DAY, "a"))

    assert answer["rejectedLogEventsInfo"] == {"tooOldLogEventEndIndex": 1}
    assert logs.find() == []
    assert "rejectedLogEventsInfo" not in logs.put((0, "b"))


def test_time_passes(logs: Logs) -> None:
    """What is too new becomes old enough: the course's clock decides."""
    assert "rejectedLogEventsInfo" in logs.put((4 * HOUR, "a"))
    logs.clock.advance(3 * 3600)
    assert "rejectedLogEventsInfo" not in logs.put((4 * HOUR, "a"))


def test_events_out_of_order(logs: Logs) -> None:
    """A batch goes by time."""
    with pytest.raises(ClientError) as raised:
        logs.put((1, "a"), (0, "b"))

    assert error(raised) == invalid("Log events in a single PutLogEvents request must be in chronological order.")


def test_batches_out_of_order(logs: Logs) -> None:
    """Two batches need not."""
    logs.put((1, "b"))
    logs.put((-1000, "a"))

    assert logs.find() == logs.get(startFromHead=True) == ["a", "b"]


def test_more_than_a_day(logs: Logs) -> None:
    """What a batch holds, less what is too old or too new, spans 24 hours at most."""
    logs.put((-DAY, "a"), (0, "b"))
    with pytest.raises(ClientError) as raised:
        logs.put((-DAY - 1, "a"), (0, "b"))

    assert error(raised) == invalid(
        "The batch of log events in a single PutLogEvents request cannot span more than 24 hours."
    )
    assert logs.find() == ["a", "b"]


def test_too_many_events(logs: Logs) -> None:
    """A batch has 1 to 10,000 events."""
    logs.put(*[(0, "a")] * 10_000)
    for number, bound in ((10_001, "less than or equal to 10000"), (0, "greater than or equal to 1")):
        with pytest.raises(ClientError) as raised:
            logs.put(*[(0, "a")] * number)
        assert error(raised) == constraint("", "logEvents", f"length {bound}")


def test_too_large(logs: Logs) -> None:
    """Messages in UTF-8 and 26 bytes for each event are 1,048,576 at most."""
    logs.put((0, "注" * 174_754), (0, "a" * (1_048_576 - 3 * 174_754 - 52)))
    with pytest.raises(ClientError) as raised:
        logs.put((0, "注" * 174_754), (0, "a" * (1_048_576 - 3 * 174_754 - 51)))

    assert error(raised) == invalid("Upload too large: 1048577 bytes exceeds limit of 1048576")


def test_empty_message(logs: Logs) -> None:
    """A message has a character at least."""
    with pytest.raises(ClientError) as raised:
        logs.put((0, "a"), (0, ""))

    assert error(raised) == constraint(" ''", "logEvents.2.member.message", "length greater than or equal to 1")


# The function runtime's own way


def test_put_makes_what_is_missing(logs: Logs) -> None:
    """Group and stream are made, and the lines are found like any others."""
    now = logs.start
    for group in ("/aws/lambda/nueva", GROUP):
        logs_events.put("us-east-1", group, "2026/11/29/[$LATEST]1", [(now, "uno\n"), (now + 1, "dos\n")])
        logs_events.put("us-east-1", group, "2026/11/29/[$LATEST]1", [(now + 2, "tres\n")])
        found = logs.filter(logGroupName=group, logStreamNamePrefix="2026/")

        assert messages(found) == ["uno\n", "dos\n", "tres\n"]
    (stream,) = logs.client.describe_log_streams(logGroupName="/aws/lambda/nueva")["logStreams"]
    assert (stream["firstEventTimestamp"], stream["lastEventTimestamp"]) == (now, now + 2)


def test_put_of_nothing_makes_the_stream(logs: Logs) -> None:
    """A run without a line has its stream."""
    logs_events.put("us-east-1", "nueva", "vacía", [])

    assert logs.get("a") == []
    assert logs.filter(logGroupName="nueva")["events"] == []
    assert logs.client.describe_log_streams(logGroupName="nueva")["logStreams"][0]["logStreamName"] == "vacía"


def test_put_looks_at_no_event_that_is_there(logs: Logs, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its cost does not grow with what the stream holds."""
    from moto.logs.models import LogEvent, logs_backends

    logs_events.put("us-east-1", GROUP, "a", [(n, json.dumps(n)) for n in range(100)])
    stream = logs_backends["123456789012"]["us-east-1"].groups[GROUP].streams["a"]

    class Untouched(list[Any]):
        def __iter__(self) -> Any:
            raise AssertionError("somebody went through the events")

    stream.events = Untouched(stream.events)
    logs_events.put("us-east-1", GROUP, "a", [(100, "100")])

    assert len(stream.events) == 101
    assert isinstance(stream.events[100], LogEvent)
