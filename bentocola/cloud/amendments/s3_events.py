"""S3 event notifications as AWS documents them: the key's encoding, the fields, one event for a multipart upload.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html and
https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-how-to-event-types-and-destinations.html
moto 5.2.5 (`moto/s3/notifications.py`): encodes `/` as `%2F`; leaves out `userIdentity`, `requestParameters`,
`responseElements`, `ownerIdentity`, `sequencer` and `versionId`; sends `ObjectCreated:Put` as well as
`ObjectCreated:CompleteMultipartUpload` for one upload.
"""

from __future__ import annotations

import inspect
import itertools
from collections.abc import Callable
from typing import Any
from urllib.parse import quote_plus

__all__ = ["install", "self_test"]

_PRINCIPAL = "AWS:AIDABENTOCOLASTUDENT"
_OWNER = "A1BENTOCOLAOWNER"
_PUT_EVENTS = ("s3:ObjectCreated:Put", "s3:ObjectCreated:Post")
_sequence = itertools.count(1)
_of_moto: dict[str, Callable[..., Any]] = {}
"""moto's own functions by their names, once `install` has put the amended ones in their place."""


def _documented_event(event_name: str, bucket: Any, key: Any, notification_id: str) -> dict[str, list[dict[str, Any]]]:
    """moto's event, completed: a record in the order of fields that AWS documents."""
    from moto.core.utils import unix_time_millis

    event: dict[str, list[dict[str, Any]]] = _of_moto["_get_s3_event"](event_name, bucket, key, notification_id)
    number = next(_sequence)
    for record in event["Records"]:
        s3 = record.pop("s3")
        record["userIdentity"] = {"principalId": _PRINCIPAL}
        record["requestParameters"] = {"sourceIPAddress": "127.0.0.1"}
        record["responseElements"] = {"x-amz-request-id": f"{number:016X}", "x-amz-id-2": f"bentocola-{number:x}"}
        record["s3"] = s3
        s3["bucket"] = {
            "name": s3["bucket"]["name"],
            "ownerIdentity": {"principalId": _OWNER},
            "arn": s3["bucket"]["arn"],
        }
        # "The s3 key value is URL encoded": a space is a plus sign, and the slashes of a path stay.
        s3["object"]["key"] = quote_plus(key.name, safe="/")
        if key.version_id not in (None, "null"):
            s3["object"]["versionId"] = key.version_id
        # Hexadecimal, and growing for the events of one key: later events compare greater as text.
        s3["object"]["sequencer"] = f"{round(unix_time_millis()):012X}{number:06X}"
    return event


def _send_once(account_id: str, event_name: Any, bucket: Any, key: Any) -> None:
    """Leave out the put that completing a multipart upload is made of inside moto: AWS announces the completion alone."""
    if event_name in _PUT_EVENTS and key.multipart is not None:
        return
    _of_moto["send_event"](account_id, event_name, bucket, key)


_AMENDED: dict[str, Callable[..., Any]] = {"_get_s3_event": _documented_event, "send_event": _send_once}


def install() -> None:
    """Put the documented event and the single announcement in the place of moto's own."""
    from moto.s3 import notifications

    for name, ours in _AMENDED.items():
        if (theirs := getattr(notifications, name)) is not ours:
            _of_moto[name] = theirs
            setattr(notifications, name, ours)


def self_test() -> None:
    """Raise if this moto's notifications no longer have the two functions, called as they are amended here."""
    from moto.s3 import notifications
    from moto.s3.models import FakeKey

    for name, ours in _AMENDED.items():
        expected, got = (list(inspect.signature(f).parameters) for f in (ours, getattr(notifications, name)))
        if got != expected:
            raise TypeError(f"{name} takes {got}, expected {expected}")
    for field in ("multipart", "version_id"):
        if field not in inspect.signature(FakeKey).parameters:
            raise TypeError(f"FakeKey has no {field}")
