"""What an IAM policy document says to one request: grants it, refuses it, or nothing.

The grammar and the rules are those of https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements.html and
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html. Nothing here knows who calls or
what the cloud holds. moto's own evaluation (`moto.iam.access_control.IAMPolicy`) refuses by an Allow whose condition it does
not meet, knows one condition operator and no principal but `*`; there is no well-kept one for Python (2026).

What is not evaluated fails closed: with a condition operator or key that is not known here, an Allow grants nothing and a
Deny refuses, and the verdict names it.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any, Literal

__all__ = ["Asked", "Context", "Grant", "Policy", "Principal", "Verdict", "lets_service", "read"]

Context = Mapping[str, tuple[str, ...]]
"""The request's condition keys, in lower case, with their values. A key that the request does not have is not in it."""

Grant = Literal["self", "role", "account", "anyone"]
"""Whom a statement's principal names: the very user or session, the session's role, the whole account, everybody."""
_NEAREST_FIRST: tuple[Grant, ...] = ("self", "role", "anyone", "account")

_KNOWN = frozenset(
    (
        *("aws:currenttime", "aws:epochtime", "aws:principalaccount", "aws:principalarn", "aws:principaltype"),
        *("aws:requestedregion", "aws:resourceaccount", "aws:securetransport", "aws:sourceip", "aws:useragent"),
        *("aws:userid", "aws:username", "aws:viaawsservice", "aws:principalisawsservice"),
        # What no request to the local cloud has: a second factor, a network or an organization behind it, another service.
        *("aws:calledvia", "aws:calledviafirst", "aws:calledvialast", "aws:federatedprovider", "aws:referer"),
        *("aws:multifactorauthage", "aws:multifactorauthpresent", "aws:principalorgid", "aws:principalorgpaths"),
        *("aws:principalservicename", "aws:resourceorgid", "aws:resourceorgpaths", "aws:sourceaccount"),
        *("aws:sourcearn", "aws:sourceidentity", "aws:sourceorgid", "aws:sourceorgpaths", "aws:sourcevpc"),
        *("aws:sourcevpce", "aws:vpcsourceip"),
        *("dynamodb:leadingkeys", "iam:passedtoservice", "iam:permissionsboundary", "iam:policyarn"),
        *("lambda:functionarn", "s3:delimiter", "s3:max-keys", "s3:prefix", "s3:versionid", "s3:x-amz-acl"),
        *("s3:x-amz-server-side-encryption", "sts:externalid", "sts:rolesessionname"),
    )
)
"""The condition keys whose value, or absence, is known here."""

_NO_VALUE = object()
_VARIABLE = re.compile(r"\$\{(?P<key>[^},]*?)\s*(?:,\s*'(?P<default>[^']*)')?\s*\}")


@dataclass(frozen=True)
class Principal:
    """Who asks: `arn` is the user's or the session's own, `role` the ARN of the session's role."""

    arn: str
    account: str
    role: str = ""
    service: str = ""
    """The name of an AWS service that asks for itself, such as "lambda.amazonaws.com"; the others are empty then."""

    def named_by(self, kind: str, value: str) -> Grant | None:
        """Return how a principal of a policy, such as AWS: "arn:…", names this one, if it does."""
        if value == "*":
            return "anyone"
        if kind == "Service":
            return "self" if self.service and value == self.service else None
        if kind != "AWS" or self.service:
            return None
        if value == self.arn:
            return "self"
        if self.role and value == self.role:
            return "role"
        return "account" if value in (self.account, f"arn:aws:iam::{self.account}:root") else None


@dataclass(frozen=True)
class Asked:
    """One permission that a request needs. `resource` is an ARN, or "*" for an action that has no resource."""

    action: str
    resource: str
    principal: Principal
    context: Callable[[], Context] = dict
    """Called only when a condition or a variable wants it."""
    unknown: frozenset[str] = frozenset()
    """Condition keys, in lower case, that this request has and whose value could not be told."""


@dataclass
class Verdict:
    """What one or more policies say."""

    denied: bool = False
    grants: set[Grant] = field(default_factory=set)
    """By what the policies grant it. A policy without principals, an identity's own, grants to "self"."""
    not_evaluated: set[str] = field(default_factory=set)
    """Condition operators and keys that would have decided and are not evaluated here."""

    def add(self, other: Verdict) -> None:
        """Take in what another policy says."""
        self.denied = self.denied or other.denied
        self.grants |= other.grants
        self.not_evaluated |= other.not_evaluated


class Policy:
    """A policy document, read once. A document that is none says nothing."""

    def __init__(self, document: str) -> None:
        try:
            found = json.loads(document)
        except ValueError:
            found = None
        found = found if isinstance(found, dict) else {}
        statements = found.get("Statement")
        has_variables = found.get("Version") == "2012-10-17"
        self._statements = [
            _Statement(statement, has_variables) for statement in _list(statements) if isinstance(statement, dict)
        ]

    def judge(self, asked: Asked) -> Verdict:
        """Return what the policy says to `asked`. An explicit Deny stands beside the grants, and wins."""
        verdict = Verdict()
        for statement in self._statements:
            statement.judge(asked, verdict)
        return verdict


@lru_cache(maxsize=1024)
def read(document: str) -> Policy:
    """Return the policy of a document in JSON. The same text is read once."""
    return Policy(document)


def lets_service(document: str, service: str, action: str, resource: str, context: Context | None = None) -> bool:
    """Whether a resource's or a role's policy lets an AWS service, such as "s3.amazonaws.com", do something for itself.

    `document`: JSON; what is none lets nobody do anything. `context`: the request's condition keys.
    """
    principal = Principal("", "", service=service)
    verdict = read(document).judge(Asked(action, resource, principal, lambda: context or {}))
    return bool(verdict.grants) and not verdict.denied


class _Statement:
    def __init__(self, statement: dict[str, Any], has_variables: bool) -> None:
        self._allows = statement.get("Effect") == "Allow"
        self._denies = statement.get("Effect") == "Deny"
        self._not_action = "NotAction" in statement
        actions = _texts(statement.get("NotAction" if self._not_action else "Action"))
        # One pattern for all: AWS's own policies have statements with a hundred actions.
        self._actions = re.compile("|".join(_wild(action.lower()).pattern for action in actions) or r"(?!)")
        self._not_resource = "NotResource" in statement
        resources = statement.get("NotResource" if self._not_resource else "Resource")
        # A trust policy has no resource: it is that of the role it belongs to.
        self._resources = None if resources is None else [_Pattern(one, has_variables) for one in _texts(resources)]
        self._not_principal = "NotPrincipal" in statement
        self._principals = _principals(statement.get("NotPrincipal" if self._not_principal else "Principal"))
        conditions = statement.get("Condition")
        self._conditions = [
            _Condition(operator, key, _texts(values), has_variables)
            for operator, keys in (conditions.items() if isinstance(conditions, dict) else ())
            for key, values in (keys.items() if isinstance(keys, dict) else ())
        ]

    def judge(self, asked: Asked, verdict: Verdict) -> None:
        action = asked.action.lower()
        if (self._actions.fullmatch(action) is not None) is self._not_action:
            return
        if self._resources is not None:
            found = any(pattern.matches(asked.resource, asked.context) for pattern in self._resources)
            if found is self._not_resource:
                return
        grant = self._names(asked.principal)
        if grant is None:
            return
        holds, not_evaluated = self._conditions_hold(asked)
        if not holds:
            return
        verdict.not_evaluated |= not_evaluated
        if self._denies:
            verdict.denied = True
        elif self._allows and not not_evaluated:
            verdict.grants.add(grant)

    def _names(self, principal: Principal) -> Grant | None:
        if self._principals is None:  # an identity's own policy, which a service has not
            return None if principal.service else "self"
        named: set[Grant] = {
            grant for kind, value in self._principals if (grant := principal.named_by(kind, value)) is not None
        }
        if self._not_principal:
            # AWS advises against it with Allow, and so does nothing here.
            return "anyone" if self._denies and not named else None
        return next((grant for grant in _NEAREST_FIRST if grant in named), None)

    def _conditions_hold(self, asked: Asked) -> tuple[bool, set[str]]:
        """Whether every condition that is evaluated holds, and the names of those that are not."""
        not_evaluated: set[str] = set()
        for condition in self._conditions:
            name = condition.not_evaluated(asked)
            if name:
                not_evaluated.add(name)
            elif not condition.holds(asked.context()):
                return False, set()
        return True, not_evaluated


class _Pattern:
    """A text of a policy with `*`, `?` and variables, as a resource or a condition's value has it."""

    def __init__(self, text: str, has_variables: bool) -> None:
        self.text = text
        self._fixed = _wild(text) if not has_variables or "${" not in text else None

    def matches(self, value: str, context: Callable[[], Context]) -> bool:
        if self._fixed is not None:
            return self._fixed.fullmatch(value) is not None
        pattern = _wild_with_variables(self.text, context())
        return pattern is not None and pattern.fullmatch(value) is not None


# Conditions: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_condition_operators.html


class _Condition:
    def __init__(self, operator: str, key: str, values: list[str], has_variables: bool) -> None:
        self._operator, self._key, self._values = operator, key, values
        self._has_variables = has_variables
        quantifier, _, rest = operator.rpartition(":")
        self._quantifier = quantifier.lower()
        rest = rest.lower()
        self._if_exists = rest.endswith("ifexists")
        self._name = rest.removesuffix("ifexists")
        negated = _NEGATED.get(self._name)
        self._negated = negated is not None
        self._compare = _COMPARE.get(negated or self._name)
        self._low = key.lower()

    def not_evaluated(self, asked: Asked) -> str | None:
        """Return the name of what is not evaluated here, if anything."""
        if (self._compare is None and self._name != "null") or self._quantifier not in (
            "",
            "forallvalues",
            "foranyvalue",
        ):
            return self._operator
        if self._low in asked.unknown:
            return self._key
        if self._low not in _KNOWN and not self._low.startswith("aws:principaltag/"):
            return self._key
        return None

    def holds(self, context: Context) -> bool:
        found = context.get(self._low)
        if self._name == "null":
            return any(value.lower() == str(found is None).lower() for value in self._values)
        if self._quantifier == "forallvalues":
            return all(self._meets(value, context) for value in found or ())
        if found is None:
            return self._if_exists or (self._negated and self._quantifier != "foranyvalue")
        return any(self._meets(value, context) for value in found)

    def _meets(self, value: str, context: Context) -> bool:
        assert self._compare is not None  # `not_evaluated` comes first
        met = any(self._compare(expected, value, context, self._has_variables) for expected in self._values)
        return met is not self._negated


def _equals(expected: str, value: str, context: Context, variables: bool) -> bool:
    return _filled(expected, context, variables) == value


def _equals_ignore_case(expected: str, value: str, context: Context, variables: bool) -> bool:
    filled = _filled(expected, context, variables)
    return isinstance(filled, str) and filled.lower() == value.lower()


def _like(expected: str, value: str, context: Context, variables: bool) -> bool:
    return _Pattern(expected, variables).matches(value, lambda: context)


def _arn_like(expected: str, value: str, context: Context, variables: bool) -> bool:
    """ "Each of the six colon-delimited components of the ARN is checked separately." """
    patterns, parts = expected.split(":", 5), value.split(":", 5)
    if "${" in ":".join(patterns[:5]):  # a variable's value may have colons of its own
        return _like(expected, value, context, variables)
    if len(patterns) != len(parts):
        return expected == "*"
    return all(_like(pattern, part, context, variables) for pattern, part in zip(patterns, parts, strict=True))


def _bool(expected: str, value: str, context: Context, variables: bool) -> bool:
    return expected.lower() == value.lower()


def _numeric(compare: Callable[[float, float], bool]) -> Callable[[str, str, Context, bool], bool]:
    def met(expected: str, value: str, context: Context, variables: bool) -> bool:
        try:
            return compare(float(value), float(expected))
        except ValueError:
            return False

    return met


def _date(compare: Callable[[float, float], bool]) -> Callable[[str, str, Context, bool], bool]:
    def met(expected: str, value: str, context: Context, variables: bool) -> bool:
        try:
            return compare(_seconds(value), _seconds(expected))
        except ValueError:
            return False

    return met


def _seconds(text: str) -> float:
    """The seconds since 1970 of a date in ISO 8601, or of the seconds themselves."""
    if text.isdecimal() and len(text) > 8:
        return float(text)
    found = datetime.fromisoformat(text)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).timestamp()


def _ip_address(expected: str, value: str, context: Context, variables: bool) -> bool:
    try:
        return ipaddress.ip_address(value) in ipaddress.ip_network(expected, strict=False)
    except ValueError:
        return False


_ORDERS: dict[str, Callable[[float, float], bool]] = {
    "equals": lambda a, b: a == b,
    "lessthan": lambda a, b: a < b,
    "lessthanequals": lambda a, b: a <= b,
    "greaterthan": lambda a, b: a > b,
    "greaterthanequals": lambda a, b: a >= b,
}
_COMPARE: dict[str, Callable[[str, str, Context, bool], bool]] = {
    "stringequals": _equals,
    "stringequalsignorecase": _equals_ignore_case,
    "stringlike": _like,
    "arnequals": _arn_like,
    "arnlike": _arn_like,
    "bool": _bool,
    "ipaddress": _ip_address,
    **{f"numeric{name}": _numeric(order) for name, order in _ORDERS.items()},
    **{f"date{name}": _date(order) for name, order in _ORDERS.items()},
}
_NEGATED = {
    "stringnotequals": "stringequals",
    "stringnotequalsignorecase": "stringequalsignorecase",
    "stringnotlike": "stringlike",
    "arnnotequals": "arnequals",
    "arnnotlike": "arnlike",
    "numericnotequals": "numericequals",
    "datenotequals": "dateequals",
    "notipaddress": "ipaddress",
}
"""Operators that hold when none of the values meets the one they negate, and when the key is missing."""


# Texts


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def _texts(value: Any) -> list[str]:
    """The texts of an element that may be one or a list of them. JSON's true and numbers are read as texts."""
    return [
        str(one).lower() if isinstance(one, bool) else str(one)
        for one in _list(value)
        if isinstance(one, str | bool | int | float)
    ]


def _principals(value: Any) -> list[tuple[str, str]] | None:
    if value is None:
        return None
    if isinstance(value, dict):
        return [(kind, text) for kind, names in value.items() for text in _texts(names)]
    return [("AWS", text) for text in _texts(value)]


def _wild(text: str) -> re.Pattern[str]:
    return re.compile("".join(_WILD.get(letter, re.escape(letter)) for letter in text), re.DOTALL)


_WILD = {"*": ".*", "?": "."}


def _values(text: str, context: Context) -> Iterable[tuple[str, str | None]]:
    """Yield the parts of a text: ("text", None) as it stands, ("", value) for a variable's value.

    Raises KeyError for a variable that the request has no single value for: nothing matches it.
    """
    at = 0
    for found in _VARIABLE.finditer(text):
        yield text[at : found.start()], None
        at = found.end()
        key = found["key"]
        if key in ("*", "?", "$"):
            yield "", key
            continue
        values = context.get(key.lower(), () if found["default"] is None else (found["default"],))
        if len(values) != 1:
            raise KeyError(key)
        yield "", values[0]
    yield text[at:], None


def _wild_with_variables(text: str, context: Context) -> re.Pattern[str] | None:
    try:
        parts = [_wild(part).pattern if value is None else re.escape(value) for part, value in _values(text, context)]
    except KeyError:
        return None
    return re.compile("".join(parts), re.DOTALL)


def _filled(text: str, context: Context, variables: bool) -> str | object:
    if not variables or "${" not in text:
        return text
    try:
        return "".join(part if value is None else value for part, value in _values(text, context))
    except KeyError:
        return _NO_VALUE
