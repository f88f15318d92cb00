"""A bucket's policy binds those whom it names. What it says to callers whose key is known is the access layer's to judge.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-policies.html,
https://docs.aws.amazon.com/AmazonS3/latest/userguide/access-control-block-public-access.html#access-control-block-public-access-policy-status
(a policy grants to the public when its principal is everybody).
moto 5.2.5 (`moto/s3/models.py`, `FakeBucket.get_permission`): looks at the policy for every caller, and takes a Deny or an Allow
for one role or user, or an Allow whose condition does not hold, for everybody's. Here it says what it grants to a request
without a signature, which is what moto needs it for beside an object's ACL.
"""

from __future__ import annotations

import inspect
from typing import Any

from bentocola.cloud import policies

__all__ = ["install", "self_test"]

_ANYBODY = policies.Principal(arn="", account="")
_CONTEXT: policies.Context = {"aws:securetransport": ("true",), "aws:sourceip": ("127.0.0.1",)}


def _get_permission(bucket: Any, action: str, resource: str) -> Any:
    from moto.iam.access_control import PermissionResult

    if bucket.policy is None:
        return PermissionResult.NEUTRAL
    asked = policies.Asked(action, resource, _ANYBODY, lambda: _CONTEXT)
    verdict = policies.read(bucket.policy.decode(errors="replace")).judge(asked)
    return PermissionResult.PERMITTED if verdict.grants and not verdict.denied else PermissionResult.NEUTRAL


def install() -> None:
    """Let a bucket answer for everybody only."""
    from moto.s3.models import FakeBucket

    for name, ours in (("get_permission", _get_permission),):
        setattr(FakeBucket, name, ours)


def self_test() -> None:
    """Raise if this moto's buckets are no longer asked in this way."""
    from moto.iam.access_control import PermissionResult
    from moto.s3.models import FakeBucket

    taken = list(inspect.signature(FakeBucket.get_permission).parameters)[1:]
    if taken != ["action", "resource"]:
        raise TypeError(f"get_permission takes {taken}")
    for name in ("NEUTRAL", "PERMITTED"):
        getattr(PermissionResult, name)
