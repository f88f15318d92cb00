"""Whether a resource's policy lets S3, as a service, do something with it for one bucket.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/userguide/grant-destinations-permissions-to-s3.html and, for how a policy is
read, https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html
Pure: it touches no moto. A condition whose operator is not among the ones below does not hold, so that nothing is let
through that this module cannot judge.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

__all__ = ["allows"]

_S3 = "s3.amazonaws.com"


def allows(policy: str | Mapping[str, Any] | None, *, action: str, resource: str, bucket: str, account: str) -> bool:
    """Return whether `policy`, JSON or what it says, lets S3 do `action` on `resource` for events of `bucket`.

    `resource` is an ARN, `bucket` a name and `account` the 12 digits of who owns the bucket. Without a policy nothing is
    allowed; a statement that denies wins over all that allow.
    """
    context = {
        "aws:sourcearn": f"arn:aws:s3:::{bucket}",
        "aws:sourceaccount": account,
        "aws:securetransport": "true",
        "aws:principalisawsservice": "true",
        "aws:principalservicename": _S3,
    }
    effects = {
        statement.get("Effect")
        for statement in _statements(policy)
        if _names_s3(statement)
        and _covers(statement, "Action", action, fold=True)
        and _covers(statement, "Resource", resource, fold=False)
        and _holds(statement.get("Condition"), context)
    }
    return "Allow" in effects and "Deny" not in effects


def _statements(policy: str | Mapping[str, Any] | None) -> list[Mapping[str, Any]]:
    if isinstance(policy, str):
        try:
            policy = json.loads(policy)
        except ValueError:
            return []
    found = policy.get("Statement", []) if isinstance(policy, Mapping) else []
    return [statement for statement in _list(found) if isinstance(statement, Mapping)]


def _names_s3(statement: Mapping[str, Any]) -> bool:
    if "NotPrincipal" in statement:
        return not _is_s3(statement["NotPrincipal"])
    return _is_s3(statement.get("Principal"))


def _is_s3(principal: Any) -> bool:
    if not isinstance(principal, Mapping):
        return bool(principal == "*")
    return "*" in _list(principal.get("AWS", [])) or bool({"*", _S3} & set(_list(principal.get("Service", []))))


def _covers(statement: Mapping[str, Any], element: str, value: str, *, fold: bool) -> bool:
    """Whether the statement's Action or Resource, or what it has as NotAction or NotResource, covers `value`."""
    negated = f"Not{element}" in statement
    patterns = map(str, _list(statement.get(f"Not{element}" if negated else element, [])))
    return negated != any(_like(pattern, value, fold=fold) for pattern in patterns)


# Conditions: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html


def _holds(condition: Any, context: Mapping[str, str]) -> bool:
    """Whether every operator holds for every key that it names."""
    if not condition:
        return True
    return isinstance(condition, Mapping) and all(
        isinstance(keys, Mapping)
        and all(_holds_for(operator, context.get(key.lower()), _list(wanted)) for key, wanted in keys.items())
        for operator, keys in condition.items()
    )


def _holds_for(operator: str, value: str | None, wanted: Iterable[Any]) -> bool:
    name = operator.removesuffix("IfExists")
    texts = [str(one).lower() if isinstance(one, bool) else str(one) for one in wanted]
    if name == "Null":
        return all((text.lower() == "true") == (value is None) for text in texts)
    negated = "Not" in name
    compare = _OPERATORS.get(name.replace("Not", "", 1))
    if compare is None:
        return False
    if value is None:
        return negated or name != operator
    return negated != any(compare(text, value) for text in texts)


def _arn_like(pattern: str, arn: str) -> bool:
    """Each of an ARN's six parts is compared on its own: a star in one does not reach into the next."""
    parts, wanted = arn.split(":", 5), pattern.split(":", 5)
    return len(parts) == len(wanted) and all(_like(one, part) for one, part in zip(wanted, parts, strict=True))


def _like(pattern: str, value: str, *, fold: bool = False) -> bool:
    return _expression(pattern.lower() if fold else pattern).fullmatch(value.lower() if fold else value) is not None


@cache
def _expression(pattern: str) -> re.Pattern[str]:
    return re.compile("".join({"*": ".*", "?": "."}.get(one, re.escape(one)) for one in pattern), re.DOTALL)


_OPERATORS: dict[str, Callable[[str, str], bool]] = {
    "ArnEquals": _arn_like,
    "ArnLike": _arn_like,
    "StringEquals": str.__eq__,
    "StringEqualsIgnoreCase": lambda wanted, value: wanted.lower() == value.lower(),
    "StringLike": _like,
    "Bool": lambda wanted, value: wanted.lower() == value.lower(),
}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]
