"""S3 event notifications as AWS documents them: which events there are, what each holds, and who gets it.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html and
https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-how-to-event-types-and-destinations.html
moto 5.2.5 (`moto/s3/notifications.py`, `S3Backend.delete_object`): encodes `/` as `%2F`; leaves out `userIdentity`,
`requestParameters`, `responseElements`, `ownerIdentity`, `sequencer` and `versionId`; gives a removal the size and ETag of
what is gone; sends `ObjectCreated:Put` as well as `ObjectCreated:CompleteMultipartUpload` for one upload, and
`ObjectTagging:Put` for each; announces no delete marker, and of an object's versions only the removal of the last, which fails
where that is a delete marker; runs a Lambda function inside the call that made the event; sends to a queue whose policy does
not let S3.
Left alone: a single delete of a key that is not there is announced to nobody, for the documentation does not tell.

What a removal, a change of tags and one of permissions leave out is not in the documentation. It is so in the events of AWS
that LocalStack's tests keep (`tests/aws/services/s3/test_s3_notifications_sqs.snapshot.json`).
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from types import SimpleNamespace
from typing import Any
from urllib.parse import quote_plus

from bentocola.cloud.amendments import places
from bentocola.cloud.amendments.s3_grants import allows

__all__ = [
    "install",
    "invoke_function",
    "may_invoke",
    "may_send",
    "new_ids",
    "policy_in_moto",
    "self_test",
    "send_later",
]

_PRINCIPAL = "AWS:AIDABENTOCOLASTUDENT"
_OWNER = "A1BENTOCOLAOWNER"
_PUT_EVENTS = ("s3:ObjectCreated:Put", "s3:ObjectCreated:Post")
_REMOVED = "s3:ObjectRemoved:"
_TAGGED = "s3:ObjectTagging:Put"
_ETAG_OF_NOTHING = "d41d8cd98f00b204e9800998ecf8427e"
_sequence = itertools.count(1)
_ids = "0" * 16, "bentocola-0"
_of_moto: dict[str, Callable[..., Any]] = {}
"""moto's own functions by their names, once `install` has put the amended ones in their place."""


# What the cloud hooks in


def _invoke_nothing(arn: str, event: dict[str, Any]) -> None:
    """No function runs unless somebody runs it."""


def _at_once(send: Callable[[], None]) -> None:
    send()


def policy_in_moto(arn: str) -> Mapping[str, Any] | None:
    """Return the resource policy of the function as moto has it, or None: no policy, or no function."""
    from moto.awslambda.utils import get_backend

    try:
        parts = arn.split(":")
        policy: Mapping[str, Any] = get_backend(parts[4], parts[3]).get_function(arn).policy.get_policy()["Policy"]
    except Exception:  # whatever moto raises, there is none
        return None
    return policy


invoke_function: Callable[[str, dict[str, Any]], None] = _invoke_nothing
"""Runs the function with this ARN, asynchronously as S3 does, with this event."""
send_later: Callable[[Callable[[], None]], None] = _at_once
"""Sends one event by calling what it gets: now, later, again or never. The test event does not come this way."""


# What an event holds


def new_ids() -> tuple[str, str]:
    """Give the request that is answered now its ids, its own and its host's, and return them.

    Its answer has them in its headers, and each event that it causes in its `responseElements`.
    """
    global _ids
    number = next(_sequence)
    _ids = f"{number:016X}", f"bentocola-{number:x}"
    return _ids


def _documented_event(event_name: str, bucket: Any, key: Any, notification_id: str) -> dict[str, list[dict[str, Any]]]:
    """moto's event, completed: a record in the order of fields that AWS documents."""
    from moto.core.utils import unix_time_millis

    event: dict[str, list[dict[str, Any]]] = _of_moto["_get_s3_event"](event_name, bucket, key, notification_id)
    request, host = _ids
    number = next(_sequence)
    for record in event["Records"]:
        s3 = record.pop("s3")
        record["userIdentity"] = {"principalId": _PRINCIPAL}
        record["requestParameters"] = {"sourceIPAddress": "127.0.0.1"}
        record["responseElements"] = {"x-amz-request-id": request, "x-amz-id-2": host}
        record["s3"] = s3
        s3["bucket"] = {
            "name": s3["bucket"]["name"],
            "ownerIdentity": {"principalId": _OWNER},
            "arn": s3["bucket"]["arn"],
        }
        stored = s3["object"]
        # "The s3 key value is URL encoded": a space is a plus sign, and the slashes of a path stay.
        stored["key"] = quote_plus(key.name, safe="/")
        if key.version_id not in (None, "null"):
            stored["versionId"] = key.version_id
        # Hexadecimal, and growing for the events of one key: later events compare greater as text.
        stored["sequencer"] = f"{round(unix_time_millis()):012X}{number:06X}"
        for name in _left_out(event_name):
            stored.pop(name, None)
    return event


def _left_out(event_name: str) -> tuple[str, ...]:
    """Return which fields of the object an event of this name does not have."""
    kind = event_name.split(":")[1]
    if kind == "ObjectRemoved":
        return ("size",) if event_name.endswith(":DeleteMarkerCreated") else ("size", "eTag")
    return ("size", "sequencer") if kind in ("ObjectAcl", "ObjectTagging") else ()


# Which events there are


def _send_event(account_id: str, event_name: Any, bucket: Any, key: Any) -> None:
    """Announce what moto announces, but for what AWS announces otherwise.

    A multipart upload is inside moto a put, and then a completion: AWS announces the completion alone. Every upload puts
    tags inside moto, though there are none. Removals are told from `_delete_object`, which knows what was removed.
    """
    if event_name in _PUT_EVENTS and key.multipart is not None:
        return
    if event_name == _TAGGED and not _tags(account_id, bucket, key):
        return
    if not event_name.startswith(_REMOVED):
        _announce(account_id, event_name, bucket, key)


def _tags(account_id: str, bucket: Any, key: Any) -> dict[str, str]:
    from moto.s3.models import s3_backends

    tags: dict[str, str] = s3_backends[account_id][bucket.partition].tagger.get_tag_dict_for_resource(key.arn)
    return tags


def _delete_object(
    self: Any, bucket_name: str, key_name: str, version_id: str | None = None, bypass: bool = False
) -> tuple[bool, dict[str, Any]]:
    """Delete as moto does, and announce it: a version, a delete marker in the place of one, or the object."""
    bucket = self.get_bucket(bucket_name)
    versions = {str(key.version_id) for key in bucket.keys.getlist(key_name)} if key_name in bucket.keys else set()
    deleted: tuple[bool, dict[str, Any]] = _of_moto["delete_object"](self, bucket_name, key_name, version_id, bypass)
    if not deleted[0]:
        return deleted
    name, version = f"{_REMOVED}Delete", version_id
    if bucket.is_versioned and version_id is None:
        name, version = f"{_REMOVED}DeleteMarkerCreated", deleted[1]["version-id"]
    elif bucket.is_versioned and version_id not in versions:
        return deleted
    gone = SimpleNamespace(name=key_name, version_id=version, etag=_ETAG_OF_NOTHING, size=0, multipart=None)
    _announce(self.account_id, name, bucket, gone)
    return deleted


# Who gets them


def _announce(account_id: str, event_name: str, bucket: Any, key: Any) -> None:
    """Make an event for each rule that fits, and hand it on to be sent."""
    from moto.s3 import notifications

    rules = bucket.notification_configuration
    if rules is None:
        return
    for send, targets in (
        (_to_function, rules.cloud_function),
        (_to_queue, rules.queue),
        (_to_topic, rules.topic),
    ):
        for rule in targets:
            if rule.matches(event_name, key.name):
                event = notifications._get_s3_event(event_name, bucket, key, rule.id)
                send_later(partial(send, account_id, bucket.name, rule.arn, event))
    if rules.event_bridge is not None:
        notifications._send_event_bridge_message(account_id, bucket, event_name, key)


def _to_function(account_id: str, bucket: str, arn: str, event: dict[str, Any]) -> None:
    if may_invoke(account_id, bucket, arn):
        invoke_function(arn, event)


def _to_queue(account_id: str, bucket: str, arn: str, event: dict[str, Any]) -> None:
    from moto.s3 import notifications

    if may_send(account_id, bucket, arn):
        notifications._send_sqs_message(account_id, event, arn.split(":")[5], arn.split(":")[3])


def _to_topic(account_id: str, bucket: str, arn: str, event: dict[str, Any]) -> None:
    from moto.s3 import notifications

    notifications._send_sns_message(account_id, event, arn, arn.split(":")[3])


def may_invoke(account_id: str, bucket: str, arn: str) -> bool:
    """Return whether the function exists and its resource policy lets S3 invoke it for the bucket."""
    return allows(policy_in_moto(arn), action="lambda:InvokeFunction", resource=arn, bucket=bucket, account=account_id)


def may_send(account_id: str, bucket: str, arn: str) -> bool | None:
    """Return whether the queue's policy lets S3 send messages to it for the bucket; None when there is no such queue."""
    from moto.sqs.models import sqs_backends

    _, _, _, region, owner, name = arn.split(":")
    # Asked for another account or region, moto would make one.
    queue = sqs_backends[account_id][region].queues.get(name) if owner == account_id else None
    if queue is None:
        return None
    return allows(queue.policy, action="sqs:SendMessage", resource=arn, bucket=bucket, account=account_id)


def _amended() -> Iterator[places.Place]:
    from moto.s3 import notifications
    from moto.s3.models import S3Backend

    yield notifications, "_get_s3_event", _documented_event
    yield notifications, "send_event", _send_event
    yield S3Backend, "delete_object", _delete_object


def install() -> None:
    """Put the documented events in the place of moto's own."""
    places.put(_amended(), _of_moto)


def self_test() -> None:
    """Raise if this moto's notifications no longer have what is amended or used here, called as it is here."""
    from moto.s3 import notifications
    from moto.s3.models import FakeKey, Notification

    places.expect_signatures(_amended())
    for name in ("_send_sqs_message", "_send_sns_message", "_send_event_bridge_message"):
        getattr(notifications, name)
    Notification("arn", []).matches("s3:ObjectRemoved:Delete", "key")
    for field in ("multipart", "version_id"):
        if field not in inspect.signature(FakeKey).parameters:
            raise TypeError(f"FakeKey has no {field}")
