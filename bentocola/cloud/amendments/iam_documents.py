"""A policy document that IAM cannot take is refused when it is given: a role's trust policy, and a principal out of place.

AWS: https://docs.aws.amazon.com/IAM/latest/APIReference/API_CreateRole.html (`MalformedPolicyDocument`: "The error message
describes the specific error"), https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_elements_principal.html
(a trust policy must have a principal, an identity's policy cannot; users and roles that it names must exist). The
documentation does not list the messages; these are what IAM is known to say:
https://github.com/hashicorp/terraform/issues/13449, https://github.com/hashicorp/terraform-provider-aws/issues/8905.
moto 5.2.5 (`moto/iam/models.py`): creates a role with any trust policy, even one that is no JSON; looks at an old role's new
trust policy, and not at its principals; takes a principal in an identity's policy.
Left alone: moto's other messages, and names of services, which AWS does not list.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from functools import cache
from typing import Any

__all__ = ["install", "self_test"]

_ACCOUNT_S_OWN = re.compile(r"arn:aws:iam::(?P<account>\d{12}):(?P<kind>user|role)/(?P<name>.+)")
_STUDENT = "student"
"""The user who calls with the student's own key. IAM knows no such user, and a trust policy may name it."""
_of_moto: dict[str, Callable[..., Any]] = {}
"""moto's own by their names, once `install` has put the amended ones in their place."""


def install() -> None:
    """Let IAM look at trust policies, and at the principals of all policies."""
    from moto.iam import models

    if _of_moto:
        return
    _of_moto["create_role"] = models.IAMBackend.create_role
    _of_moto["update_assume_role_policy"] = models.IAMBackend.update_assume_role_policy
    changes: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (models.IAMBackend, "create_role", _create_role),
        (models.IAMBackend, "update_assume_role_policy", _update_assume_role_policy),
        # In IAM alone: other services have moto look at policies in the same way, and theirs have principals.
        (models, "IAMPolicyDocumentValidator", _identity_validator()),
        (models, "IAMTrustPolicyDocumentValidator", _trust_validator()),
    )
    for holder, name, ours in changes:
        setattr(holder, name, ours)


@cache
def _identity_validator() -> type[Any]:
    from moto.iam.exceptions import MalformedPolicyDocument
    from moto.iam.policy_validation import IAMPolicyDocumentValidator

    class Validator(IAMPolicyDocumentValidator):
        def validate(self) -> None:
            super().validate()
            if any("Principal" in statement or "NotPrincipal" in statement for statement in self._statements):
                raise MalformedPolicyDocument("Policy document should not specify a principal.")

    return Validator


@cache
def _trust_validator() -> type[Any]:
    from moto.iam.policy_validation import IAMTrustPolicyDocumentValidator

    class TrustValidator(IAMTrustPolicyDocumentValidator):
        def _validate_version(self) -> None:
            """Unlike an identity's policy, it may be of the older version 2008-10-17: IAM's own first roles are."""

    return TrustValidator


def _create_role(backend: Any, *arguments: Any, **named: Any) -> Any:
    asked = inspect.signature(_of_moto["create_role"]).bind(backend, *arguments, **named).arguments
    if not asked.get("linked_service"):
        _check_trust_policy(backend, asked["assume_role_policy_document"])
    return _of_moto["create_role"](backend, *arguments, **named)


def _update_assume_role_policy(backend: Any, role_name: str, policy_document: str) -> None:
    backend.get_role(role_name)  # a role that is not there is what IAM says first
    _check_trust_policy(backend, policy_document)
    _of_moto["update_assume_role_policy"](backend, role_name, policy_document)


def _check_trust_policy(backend: Any, document: str) -> None:
    """Raise MalformedPolicyDocument for a trust policy that IAM does not take."""
    from moto.iam.exceptions import MalformedPolicyDocument

    validator = _trust_validator()(document)
    validator.validate()
    for statement in validator._statements:
        principal = statement.get("Principal", statement.get("NotPrincipal"))
        if not principal:
            raise MalformedPolicyDocument("Missing required field Principal")
        if not isinstance(principal, dict):
            continue
        names = principal.get("AWS", [])
        for name in names if isinstance(names, list) else [names]:
            if not _exists(backend, str(name)):
                raise MalformedPolicyDocument(f'Invalid principal in policy: "AWS":"{name}"')


def _exists(backend: Any, principal: str) -> bool:
    """Whether a user or role that a policy names exists. Other accounts' are not ours to know."""
    found = _ACCOUNT_S_OWN.fullmatch(principal)
    if found is None or found["account"] != backend.account_id:
        return True
    if found["kind"] == "role":
        return any(role.arn == principal for role in backend.roles.values())
    return found["name"] == _STUDENT or any(user.arn == principal for user in backend.users.values())


def self_test() -> None:
    """Raise if this moto's IAM no longer has what is amended here."""
    from moto.iam import models

    create = _of_moto.get("create_role", models.IAMBackend.create_role)
    if not {"assume_role_policy_document", "linked_service"} <= set(inspect.signature(create).parameters):
        raise TypeError("create_role takes no assume_role_policy_document")
    update = list(inspect.signature(models.IAMBackend.update_assume_role_policy).parameters)[1:]
    if update != ["role_name", "policy_document"]:
        raise TypeError(f"update_assume_role_policy takes {update}")
    for name in ("IAMPolicyDocumentValidator", "IAMTrustPolicyDocumentValidator"):
        getattr(models, name)
    validator = _trust_validator()(
        '{"Version": "2012-10-17", "Statement": {"Effect": "Allow", "Principal": "*", "Action": "sts:AssumeRole"}}'
    )
    validator.validate()
    if len(validator._statements) != 1:
        raise ValueError("The validator keeps its statements elsewhere")
