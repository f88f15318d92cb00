"""PutBucketNotificationConfiguration refuses what AWS refuses, and sends the test event as AWS does.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/API/API_PutBucketNotificationConfiguration.html ("first verifies that any
Amazon SNS or Amazon SQS destination exists, and that the bucket owner has permission to publish to it by sending a test
notification"; for Lambda, that the function's permissions let S3 invoke it), and in
https://docs.aws.amazon.com/AmazonS3/latest/userguide/ notification-how-to-filtering.html (what overlaps; values are
URL-encoded), grant-destinations-permissions-to-s3.html, notification-how-to-event-types-and-destinations.html (no FIFO
queues), notification-content-structure.html (the test event's six fields).
moto 5.2.5 (`S3Response._notification_config_from_body`, `FakeBucket.set_notification_configuration`): accepts any target and
any overlap; keeps a configuration that it then refuses for its region; answers 500 to a rule that is named otherwise than
`prefix` or `suffix`; leaves RequestId and HostId out of the test event, and sends it in no certain order.

The sentences of the errors are AWS's own, which its documentation does not have: those on destinations, ARNs and rule names
as LocalStack's tests recorded them of AWS (`tests/aws/services/s3/test_s3_notifications_*.snapshot.json`); those on overlaps
and FIFO queues as users quote them (github.com/minio/minio/issues/2472, github.com/aws-solutions/
aws-waf-security-automations/issues/49); those on more than one rule of a name and on the length of a value as MinIO has them.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn
from urllib.parse import unquote_plus
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from bentocola.cloud.amendments import places, s3_events

__all__ = ["install", "self_test"]

_of_moto: dict[str, Callable[..., Any]] = {}
"""moto's own functions by their names, once `install` has put the amended ones in their place."""
_SKIP = "x-amz-skip-destination-validation"
_LONGEST_VALUE = 1024
"""Bytes of a filter's value, in UTF-8."""
_OWNER = r"[a-z0-9-]+:\d{12}"
_ARNS = {
    "Topic": re.compile(rf"arn:aws[a-z-]*:sns:{_OWNER}:[^:]+"),
    "Queue": re.compile(rf"arn:aws[a-z-]*:sqs:{_OWNER}:[^:]+"),
    "CloudFunction": re.compile(rf"arn:aws[a-z-]*:lambda:{_OWNER}:function:[^:]+(:[^:]+)?"),
}
"""The form of each kind of target's ARN, by the name that the configuration's XML has for the kind."""


@dataclass(frozen=True)
class _Rule:
    """A configuration of the request: to which target which events go, for which keys."""

    kind: str
    id: str | None
    arn: str
    events: tuple[str, ...]
    filters: Mapping[str, str]
    """The values of `prefix` and `suffix`, as far as they are given, URL-encoded as they came."""

    def affix(self, name: str) -> str:
        """Return the prefix or suffix as it is compared with keys, empty if there is none."""
        return unquote_plus(self.filters.get(name, ""))

    def as_moto_keeps_it(self) -> dict[str, Any]:
        """Return what moto makes a notification of. The names of the rules are as AWS gives them back."""
        kept: dict[str, Any] = {self.kind: self.arn, "Event": list(self.events), "Id": self.id}
        if self.filters:
            rules = [{"Name": name.capitalize(), "Value": value} for name, value in self.filters.items()]
            kept["Filter"] = {"S3Key": {"FilterRule": rules}}
        return kept


# Reading the request


def _config_from_body(self: Any) -> dict[str, Any]:
    """Return the configuration in the form that moto keeps, after the checks that AWS makes."""
    bucket = self.backend.get_bucket(self.bucket_name)
    rules, to_event_bridge = _parse(self.body)
    skip = str(self.headers.get(_SKIP, "")).lower() == "true"
    _check(rules, bucket)
    if not skip:
        _check_destinations(rules, bucket)
    if not rules and not to_event_bridge:
        return {}
    config: dict[str, Any] = {"SkipDestinationValidation": skip}
    for rule in rules:
        config.setdefault(f"{rule.kind}Configuration", []).append(rule.as_moto_keeps_it())
    if to_event_bridge:
        config["EventBridgeConfiguration"] = {}
    return config


def _parse(body: bytes | str) -> tuple[list[_Rule], bool]:
    """Return the rules, by kind and in their order, and whether EventBridge is to get all events."""
    from moto.s3.exceptions import MalformedXML

    try:
        root = ElementTree.fromstring(body)
    except ElementTree.ParseError:
        raise MalformedXML from None
    if _name(root) != "NotificationConfiguration":
        raise MalformedXML
    rules = [_rule(kind, entry) for kind in _ARNS for entry in _children(root, f"{kind}Configuration")]
    return rules, bool(_children(root, "EventBridgeConfiguration"))


def _rule(kind: str, entry: ElementTree.Element) -> _Rule:
    from moto.s3.exceptions import MalformedXML

    arns, events = _texts(entry, kind), _texts(entry, "Event")
    if len(arns) != 1 or not events:
        raise MalformedXML
    ids = _texts(entry, "Id")
    return _Rule(kind, ids[0] if ids else None, arns[0], tuple(events), _filters(entry))


def _filters(entry: ElementTree.Element) -> dict[str, str]:
    from moto.s3.exceptions import MalformedXML

    filters: dict[str, str] = {}
    keys = [key for one in _children(entry, "Filter") for key in _children(one, "S3Key")]
    for rule in [rule for key in keys for rule in _children(key, "FilterRule")]:
        names, values = _texts(rule, "Name"), _texts(rule, "Value")
        if len(names) != 1 or len(values) > 1:
            raise MalformedXML
        name, value = names[0].lower(), "".join(values)
        if name not in ("prefix", "suffix"):
            _refuse("filter rule name must be either prefix or suffix", ("FilterRule.Name", names[0]))
        if len(value.encode()) > _LONGEST_VALUE:
            said = f"Size of filter rule value cannot exceed {_LONGEST_VALUE} bytes in UTF-8 representation"
            _refuse(said, ("FilterRule.Value", value))
        if name in filters:
            _refuse(f"Cannot specify more than one {name} rule in a filter.", ("FilterRule.Name", name))
        filters[name] = value
    return filters


def _children(element: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [child for child in element if _name(child) == name]


def _texts(element: ElementTree.Element, name: str) -> list[str]:
    return [child.text or "" for child in _children(element, name)]


def _name(element: ElementTree.Element) -> str:
    """Return the element's name without its namespace."""
    return element.tag.rpartition("}")[2]


# What is refused


def _check(rules: list[_Rule], bucket: Any) -> None:
    """Refuse what is wrong in itself, whatever the targets are."""
    from moto.s3.exceptions import InvalidNotificationDestination, InvalidNotificationEvent
    from moto.s3.notifications import S3NotificationEvent

    for rule in rules:
        if not _is_arn(rule):
            _refuse("The ARN could not be parsed", (rule.kind, rule.arn))
    for rule in rules:
        for event in rule.events:
            if event not in S3NotificationEvent.events():
                raise InvalidNotificationEvent(event)
    for one, other in itertools.combinations(rules, 2):
        _check_overlap(one, other)
    for rule in rules:
        if rule.kind == "Queue" and rule.arn.endswith(".fifo"):
            _refuse("FIFO SQS queues are not supported.", (rule.kind, rule.arn))
        if rule.arn.split(":")[3] != bucket.region_name:
            raise InvalidNotificationDestination


def _is_arn(rule: _Rule) -> bool:
    return _ARNS[rule.kind].fullmatch(rule.arn) is not None


def _check_overlap(one: _Rule, other: _Rule) -> None:
    """Refuse two rules that could announce the same event of the same key."""
    shared = next(_shared_events(one, other), None)
    if shared is None:
        return
    prefixes = sorted((one.affix("prefix"), other.affix("prefix")), key=len)
    suffixes = sorted((one.affix("suffix"), other.affix("suffix")), key=len)
    if not (prefixes[1].startswith(prefixes[0]) and suffixes[1].endswith(suffixes[0])):
        return
    if one.filters or other.filters:
        _refuse(
            "Configuration is ambiguously defined. Cannot have overlapping suffixes in two rules if the prefixes are "
            "overlapping for the same event type."
        )
    _refuse(
        "Configurations overlap. Configurations on the same bucket cannot share a common event type.",
        ("Event", ", ".join(shared)),
    )


def _shared_events(one: _Rule, other: _Rule) -> Iterator[tuple[str, str]]:
    for event, rival in itertools.product(one.events, other.events):
        if event == rival or _covers(event, rival) or _covers(rival, event):
            yield event, rival


def _covers(event: str, other: str) -> bool:
    return event.endswith(":*") and other.startswith(event.removesuffix("*"))


def _check_destinations(rules: list[_Rule], bucket: Any) -> None:
    """Refuse the configuration if S3 cannot reach one of its targets. AWS numbers all that it cannot reach."""
    faults = {}
    for rule in rules:
        if (fault := _FAULTS[rule.kind](rule.arn, bucket)) is not None:
            faults[rule.arn + (", null" if rule.kind == "CloudFunction" else "")] = fault
    if faults:
        _refuse("Unable to validate the following destination configurations", *faults.items(), numbered=True)


def _fault_of_queue(arn: str, bucket: Any) -> str | None:
    match s3_events.may_send(bucket.account_id, bucket.name, arn):
        case None:
            return "The destination queue does not exist"
        case False:
            return "Permissions on the destination queue do not allow S3 to publish notifications from this bucket"
    return None


def _fault_of_function(arn: str, bucket: Any) -> str | None:
    if s3_events.may_invoke(bucket.account_id, bucket.name, arn):
        return None
    return f"Not authorized to invoke function [{arn}]"


def _fault_of_topic(arn: str, bucket: Any) -> str | None:
    from moto.sns.models import sns_backends

    exists = arn in sns_backends[bucket.account_id][bucket.region_name].topics
    return None if exists else "The destination topic does not exist"


_FAULTS: dict[str, Callable[[str, Any], str | None]] = {
    "Topic": _fault_of_topic,
    "Queue": _fault_of_queue,
    "CloudFunction": _fault_of_function,
}


def _refuse(message: str, *arguments: tuple[str, str], numbered: bool = False) -> NoReturn:
    """Answer InvalidArgument with the arguments that AWS names: `ArgumentName`, or `ArgumentName1` and on."""
    from werkzeug.exceptions import BadRequest

    said = f"<Code>InvalidArgument</Code><Message>{escape(message)}</Message>"
    for number, (name, value) in enumerate(arguments, 1):
        n = number if numbered else ""
        said += f"<ArgumentName{n}>{escape(name)}</ArgumentName{n}><ArgumentValue{n}>{escape(value)}</ArgumentValue{n}>"
    request, host = s3_events.new_ids()
    said += f"<RequestId>{request}</RequestId><HostId>{host}</HostId>"
    body = f'<?xml version="1.0" encoding="UTF-8"?>\n<Error>{said}</Error>'

    class Refused(BadRequest):
        def get_headers(self, *_: Any) -> list[tuple[str, str]]:
            return [("Content-Type", "application/xml"), ("x-amz-request-id", request), ("x-amz-id-2", host)]

        def get_body(self, *_: Any) -> str:
            return body

    raise Refused


# Keeping it


def _put(self: Any, bucket_name: str, notification_config: dict[str, Any]) -> None:
    """Keep the configuration in the place of the bucket's last one, and send the test event to each queue and topic.

    The test event is how S3 verifies a target, so that there is none where the caller skips that.
    """
    bucket = self.get_bucket(bucket_name)
    bucket.set_notification_configuration(notification_config)
    if bucket.notification_configuration and not notification_config.get("SkipDestinationValidation"):
        _send_test_events(bucket)


def _send_test_events(bucket: Any) -> None:
    from moto.core.utils import iso_8601_datetime_with_milliseconds
    from moto.s3 import notifications

    request, host = s3_events.new_ids()
    event = {
        "Service": "Amazon S3",
        "Event": "s3:TestEvent",
        "Time": iso_8601_datetime_with_milliseconds(),
        "Bucket": bucket.name,
        "RequestId": request,
        "HostId": host,
    }
    rules = bucket.notification_configuration
    for arn in dict.fromkeys(rule.arn for rule in rules.queue):
        notifications._send_sqs_message(bucket.account_id, event, arn.split(":")[5], arn.split(":")[3])
    for arn in dict.fromkeys(rule.arn for rule in rules.topic):
        notifications._send_sns_message(bucket.account_id, event, arn, arn.split(":")[3])


def _no_test_event(account_id: str, bucket: Any) -> None:
    """What keeps a configuration sends nothing: `_put` does, which knows whether to."""


def _key_matches(self: Any, key_name: str) -> bool:
    """Whether a key has the rule's prefix and suffix. What they say is URL-encoded, the key is not."""
    found = {one["Name"].lower(): one["Value"] for one in self.filters.get("S3Key", {}).get("FilterRule", ())}
    prefix, suffix = (unquote_plus(found.get(name, "")) for name in ("prefix", "suffix"))
    return key_name.startswith(prefix) and key_name.endswith(suffix)


def _amended() -> Iterator[places.Place]:
    from moto.s3 import notifications
    from moto.s3.models import Notification, S3Backend
    from moto.s3.responses import S3Response

    yield S3Response, "_notification_config_from_body", _config_from_body
    yield S3Backend, "put_bucket_notification_configuration", _put
    yield notifications, "send_test_event", _no_test_event
    yield Notification, "_key_matches", _key_matches


def install() -> None:
    """Put the checks and the documented test event in the place of moto's own."""
    places.put(_amended(), _of_moto)


def self_test() -> None:
    """Raise if this moto no longer reads and keeps a configuration with the functions amended here."""
    from moto.s3.models import FakeBucket, NotificationConfiguration

    places.expect_signatures(_amended())
    if "notification_config" not in inspect.signature(FakeBucket.set_notification_configuration).parameters:
        raise TypeError("a bucket takes no notification configuration")
    rule = _Rule("CloudFunction", None, "arn:aws:lambda:us-east-1:123456789012:function:f", ("s3:ObjectCreated:*",), {})
    kept = NotificationConfiguration(cloud_function=[rule.as_moto_keeps_it()]).cloud_function[0]
    if (kept.arn, kept.events, bool(kept.filters)) != (rule.arn, list(rule.events), False):
        raise TypeError("a notification does not keep what it is given")
