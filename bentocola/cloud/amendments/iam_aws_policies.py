"""The policies that AWS itself manages, such as `service-role/AWSLambdaBasicExecutionRole`, can be attached, read and listed.

AWS: https://docs.aws.amazon.com/IAM/latest/UserGuide/access_policies_managed-vs-inline.html#aws-managed-policies; one that is
made for a service's own role cannot be attached (`PolicyNotAttachable` of
https://docs.aws.amazon.com/IAM/latest/APIReference/API_AttachRolePolicy.html).
moto 5.2.5 (`moto/iam/models.py`): has all their texts, 5 MB, and knows none of them unless it is told to read all at its start.
Here one is read when a call names it, and all when a call lists them.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from functools import cache, wraps
from typing import Any

from bentocola.cloud import imports

__all__ = ["install", "self_test"]

_PREFIX = "arn:aws:iam::aws:policy/"
_BY_ARN = ("get_policy", "attach_role_policy", "attach_user_policy", "attach_group_policy")
_LISTS = ("list_policies",)
_of_moto: dict[str, Callable[..., Any]] = {}
"""moto's own methods by their names, once `install` has put the amended ones in their place."""


def install() -> None:
    """Let IAM find AWS's own policies."""
    from moto.iam.models import IAMBackend

    for name in (*_BY_ARN, *_LISTS):
        theirs = getattr(IAMBackend, name)
        if theirs not in _of_moto.values() and not hasattr(theirs, "__wrapped__"):
            _of_moto[name] = theirs
            setattr(IAMBackend, name, _with_aws_policies(name, theirs))


def _with_aws_policies(name: str, theirs: Callable[..., Any]) -> Callable[..., Any]:
    signature = inspect.signature(theirs)

    @wraps(theirs)
    def amended(backend: Any, *arguments: Any, **named: Any) -> Any:
        asked = signature.bind(backend, *arguments, **named).arguments
        if name in _LISTS:
            # "OnlyAttached" are there already, and "Local" are the account's own.
            if asked["scope"] != "Local" and not asked["only_attached"]:
                for policy_name, data in _all().items():
                    _bring(backend, policy_name, data)
        else:
            arn = str(asked["policy_arn"])
            if arn.startswith(_PREFIX) and arn not in backend.managed_policies:
                policy_name = arn.rpartition("/")[2]
                _bring(backend, policy_name, _read(policy_name))
            if (
                name != "get_policy"
                and arn.startswith(f"{_PREFIX}aws-service-role/")
                and arn in backend.managed_policies
            ):
                raise _not_attachable()
        return theirs(backend, *arguments, **named)

    return amended


def _bring(backend: Any, name: str, data: dict[str, Any] | None) -> None:
    """Put one of AWS's policies among those that the backend knows; nothing, if there is none of this name."""
    from moto.iam.models import AWSManagedPolicy

    if data is None or f"{_PREFIX.removesuffix('/')}{data['Path']}{name}" in backend.managed_policies:
        return
    policy = AWSManagedPolicy.from_data(name, backend.account_id, backend.region_name, data)
    backend.managed_policies[policy.arn] = policy
    backend.aws_managed_policies.append(policy)


def _not_attachable() -> Exception:
    from moto.iam.exceptions import IAMException

    return IAMException("PolicyNotAttachable", "Cannot attach a Service Role Policy to a Customer Role.")


def _text() -> str:
    """moto's copy of the policies: a JSON object, indented by one space, of each policy under its name."""
    return str(imports.real("moto.iam.aws_managed_policies").aws_managed_policies_data)


@cache
def _read(name: str) -> dict[str, Any] | None:
    """Read one policy out of the text, which as a whole takes twenty times as long."""
    text = _text()
    key = f"\n {json.dumps(name)}:"
    at = text.find(key)
    if at < 0:
        return None
    found: dict[str, Any] = json.JSONDecoder().raw_decode(text, at + len(key))[0]
    return found


@cache
def _all() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(_text())
    return found


def self_test() -> None:
    """Raise if this moto no longer keeps AWS's policies as they are read here."""
    from moto.iam.models import AWSManagedPolicy, IAMBackend

    for name in _BY_ARN:
        if "policy_arn" not in inspect.signature(getattr(IAMBackend, name)).parameters:
            raise TypeError(f"{name} takes no policy_arn")
    if not {"scope", "only_attached"} <= set(inspect.signature(IAMBackend.list_policies).parameters):
        raise TypeError("list_policies takes no scope")
    data = _read("AWSLambdaBasicExecutionRole")
    if data is None or AWSManagedPolicy.from_data("AWSLambdaBasicExecutionRole", "1", "aws", data).arn != (
        f"{_PREFIX}service-role/AWSLambdaBasicExecutionRole"
    ):
        raise ValueError("AWSLambdaBasicExecutionRole is not where it was")
