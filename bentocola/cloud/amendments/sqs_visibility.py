"""A message is visible again when its visibility timeout is over, and a delayed one when its delay is.

AWS: https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-visibility-timeout.html
moto 5.2.5 (`moto/sqs/models.py`, `Message`): compares floats that it made from milliseconds, and hides a message for
longer than its timeout. A clock that stands still meets the exact moment each time: `advance(30)` after a timeout of 30
seconds. What the floats round to would then decide.
"""

from __future__ import annotations

from typing import Any

__all__ = ["install", "self_test"]


def _visible(message: Any) -> bool:
    return _now() >= int(round(message.visible_at))


def _delayed(message: Any) -> bool:
    return _now() < int(round(message.delayed_until))


def _now() -> int:
    from moto.core.utils import unix_time_millis

    return round(unix_time_millis())


def install() -> None:
    """Let messages compare whole milliseconds."""
    from moto.sqs.models import Message

    for name, ours in (("visible", _visible), ("delayed", _delayed)):
        setattr(Message, name, property(ours))


def self_test() -> None:
    """Raise if this moto's messages no longer have what is compared here."""
    from moto.sqs.models import Message

    for name in ("visible", "delayed"):
        if not isinstance(getattr(Message, name), property):
            raise TypeError(f"Message.{name} is no property")
    message = Message("id", "body")
    for name in ("visible_at", "delayed_until"):
        getattr(message, name)
