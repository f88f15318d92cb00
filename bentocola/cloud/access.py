"""The layer that knows who calls, and refuses what their policies do not allow, as AWS does and in its words.

Callers are told apart by the fake access key in the request's signature; no signature is checked.

- The student's own key, no signature, and keys that nobody issued (`test`, `lab`): the user `student`, who may do everything.
  No policy binds that user, not even the Deny of a queue's or a bucket's own policy; only a role's trust policy does.
- A key of `iam.create_access_key`: what the policies of that user and the user's groups allow. When the key is inactive or
  deleted it is refused as AWS refuses it.
- A key of `sts.assume_role`, and one that `Access.issue` gave to a function: what the role's policies allow. One that
  `Access.forget` has taken back is a key that nobody issued.

May touch moto's internals: users, roles and their policies are where moto keeps them, and so are the policies of queues,
buckets and functions. Evaluated: https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html, for
one account: identity policies, permissions boundaries, session policies, resource policies. Not evaluated: policies of
organizations and network endpoints, which the local cloud has not, and DynamoDB's and the log groups' resource policies.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal
from xml.etree import ElementTree
from xml.sax.saxutils import escape

from bentocola.cloud import actions, policies
from bentocola.cloud.actions import Need
from bentocola.cloud.door import ACCOUNT, DEFAULT_REGION, Answer, Call, Response, error_response

__all__ = ["STUDENT", "STUDENT_ARN", "Access", "Credentials", "Refusal"]

STUDENT = "student"
STUDENT_ARN = f"arn:aws:iam::{ACCOUNT}:user/{STUDENT}"
"""Who calls with the student's own key, with none, or with one that nobody issued."""

_PARTITION = "aws"
_FOR_GOOD = 100 * 365 * 24 * 3600
_READS = ("Get", "List", "Simulate", "Generate")
_AN_IDENTITY_POLICY, _A_RESOURCE_POLICY = "identity-based policy", "resource-based policy"
_DELETE_RESULT = "http://s3.amazonaws.com/doc/2006-03-01/"


@dataclass(frozen=True)
class Credentials:
    """Temporary credentials. None of them is secret: they open nothing but the local cloud."""

    access_key: str
    secret_key: str
    session_token: str


@dataclass(frozen=True)
class Refusal:
    """What somebody may not do. `message` says it as AWS documents it."""

    user: str
    action: str
    resource: str
    why: str
    note: str = ""
    """What only this cloud has to say, in the reader's language: that a condition is not evaluated here."""
    explicit: bool = False
    """Whether a Deny says so, and not only that nothing allows it."""

    @property
    def message(self) -> str:
        """https://docs.aws.amazon.com/IAM/latest/UserGuide/troubleshoot_access-denied.html, with each service's own spelling.

        SQS writes its actions in lower case, S3 puts the resource in quotation marks and has none for `ListAllMyBuckets`
        (https://docs.aws.amazon.com/AmazonS3/latest/userguide/troubleshoot-403-errors.html).
        """
        action, resource = self.action, f" on resource: {self.resource}"
        if action.startswith("sqs:"):
            action = action.lower()
        elif action.startswith("s3:"):
            resource = "" if self.resource == "*" else f' on resource: "{self.resource}"'
        why = f" {self.why.format(action=action)}" if self.why else ""
        said = f"User: {self.user} is not authorized to perform: {action}{resource}{why}"
        return f"{said}. {self.note}" if self.note else said

    def response(self, call: Call) -> Response:
        """The service's own error, in its own protocol."""
        code, status = {
            "s3": ("AccessDenied", 403),
            "sqs": ("AccessDenied", 403),
            "iam": ("AccessDenied", 403),
            "sts": ("AccessDenied", 403),
            "lambda": ("AccessDeniedException", 403),
        }.get(call.service, ("AccessDeniedException", 400))
        return _error(call, status, code, self.message)


def _error(call: Call, status: int, code: str, message: str) -> Response:
    if call.service == "sqs" and call.request.header("X-Amz-Target"):
        # https://smithy.io/2.0/aws/protocols/aws-query-protocol.html#query-compatible-errors: SDKs raise the code of before.
        response = error_response(call, status, f"{code}Exception" if code == "AccessDenied" else code, message)
        return replace(response, headers={**response.headers, "x-amzn-query-error": f"{code};Sender"})
    response = error_response(call, status, code, message)
    return replace(response, body=b"") if call.request.method == "HEAD" else response


@dataclass
class _Held:
    """The policies that bind a user or a role, as texts."""

    identity: list[str] = field(default_factory=list)
    boundary: str | None = None
    tags: Mapping[str, str] = field(default_factory=dict)
    """The condition keys of the user's or role's tags."""


@dataclass(frozen=True)
class _Caller:
    """Somebody who may not do everything."""

    kind: Literal["user", "role"]
    name: str
    """The user's name, or the role's ARN."""
    principal: policies.Principal
    user_id: str = ""
    session_policy: str | None = None
    expires: datetime | None = None
    active: bool = True


class Access:
    """Stands after the recorder, so that a refusal is recorded, and before what works on calls that are allowed."""

    def __init__(self, say: Callable[..., str] = str.format) -> None:
        """`say` puts what only this cloud tells into the reader's language."""
        self._say = say
        self._callers: dict[str, _Caller] = {}
        self._held: dict[tuple[str, str], _Held] = {}
        # A function's runtime issues and forgets keys outside of calls: one that is missed would be nobody's.
        self._lock = threading.Lock()

    def __call__(self, call: Call, answer: Answer) -> Response:
        """Let the call go on if its caller may make it."""
        caller = self._callers.get(call.access_key)
        if caller is None and call.service not in ("iam", "sts"):
            return answer(call)
        if caller is not None and (response := self._turned_away(call, caller)) is not None:
            return response
        if call.service == "sts" and call.operation == "AssumeRole" and (refusal := self._may_not_assume(call, caller)):
            return refusal.response(call)
        if caller is not None and call.service == "s3":
            return self._s3(call, caller, answer)
        response = answer(call)
        if (call.service == "iam" and not call.operation.startswith(_READS)) or call.operation.startswith("AssumeRole"):
            with self._lock:
                self._look_again()
        return response

    def issue(self, role_arn: str, session_name: str) -> Credentials:
        """Give credentials that act as the role, until `forget`: AWS renews those of a function that runs."""
        from moto.sts.models import sts_backends

        sts: Any = sts_backends[ACCOUNT][_PARTITION]  # moto itself passes None for what a request leaves out
        with self._lock:
            made = sts.assume_role(
                region_name=DEFAULT_REGION,
                role_session_name=session_name,
                role_arn=role_arn,
                policy=None,
                duration=_FOR_GOOD,
                external_id=None,
            )
            self._callers[made.access_key_id] = _session(made)
        return Credentials(made.access_key_id, made.secret_access_key, made.session_token)

    def forget(self, access_key: str) -> None:
        """Take back what `issue` gave. The key is one that nobody issued from then on."""
        from moto.iam.models import iam_backends
        from moto.sts.models import sts_backends

        with self._lock:
            self._callers.pop(access_key, None)
            iam_backends[ACCOUNT][_PARTITION].access_keys.pop(access_key, None)
            sts = sts_backends[ACCOUNT][_PARTITION]
            sts.assumed_roles = [role for role in sts.assumed_roles if role.access_key_id != access_key]

    def clear(self) -> None:
        """Forget everybody: the services were emptied."""
        self._callers.clear()
        self._held.clear()

    def allowed(self, arn: str, action: str, resource: str, context: policies.Context | None = None) -> Refusal | None:
        """Return why a user, a role or a role's session may not do `action` on `resource`; None if it may.

        `arn` is the ARN of any of them. `context` has the condition keys of the action, in lower case.
        """
        if arn == STUDENT_ARN:
            return None
        return self._decide(_by_arn(arn), Need(action, resource, lambda: context or {}))

    # Who calls

    def _look_again(self) -> None:
        """IAM has changed: read anew who has which key, and forget what was read of their policies."""
        from moto.iam.models import iam_backends
        from moto.sts.models import sts_backends

        self._held.clear()
        backend = iam_backends[ACCOUNT][_PARTITION]
        sessions = {role.access_key_id: role for role in sts_backends[ACCOUNT][_PARTITION].assumed_roles}
        found: dict[str, _Caller] = {}
        for access_key, key in list(backend.access_keys.items()):
            if key.user_name is not None:
                user = backend.users.get(key.user_name)
                if user is not None:
                    principal = policies.Principal(user.arn, ACCOUNT)
                    found[access_key] = _Caller("user", user.name, principal, user.id, active=key.status == "Active")
            elif access_key in sessions:
                found[access_key] = _session(sessions[access_key])
        for access_key, caller in self._callers.items():
            if access_key not in found and caller.kind == "user":
                found[access_key] = replace(caller, active=False)  # deleted, and still known for what it was
        self._callers = found

    def _turned_away(self, call: Call, caller: _Caller) -> Response | None:
        if not caller.active:
            return _invalid_key(call)
        if caller.expires is not None and _now() >= caller.expires:
            return _expired(call)
        refusal = self._refusal(call, caller)
        return None if refusal is None else refusal.response(call)

    def _refusal(self, call: Call, caller: _Caller) -> Refusal | None:
        if call.service == "sts" and call.operation == "AssumeRole":
            return None  # with the role's trust policy: `_may_not_assume`
        me = caller.principal.arn if caller.kind == "user" else "*"
        for need in actions.needs(call, _arn_of, me):
            if (refusal := self._decide(caller, need, call)) is not None:
                return refusal
        return None

    # What they may do

    def _decide(self, caller: _Caller, need: Need, call: Call | None = None) -> Refusal | None:
        """The order of https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic_policy-eval-denyallow.html."""
        held = self._policies_of(caller)
        asked = policies.Asked(
            need.action, need.resource, caller.principal, partial(_context, caller, held, need, call), need.unknown
        )
        identity = policies.Verdict()
        for document in held.identity:
            identity.add(policies.read(document).judge(asked))
        of_resource = policies.Verdict()
        if (of_its_own := _resource_policy(need.resource)) is not None:
            of_resource = policies.read(of_its_own).judge(asked)
        limits = [
            (kind, policies.read(document).judge(asked))
            for kind, document in (("permissions boundary", held.boundary), ("session policy", caller.session_policy))
            if document is not None
        ]
        note = self._note(identity, of_resource, *(verdict for _, verdict in limits))
        refuse = partial(Refusal, caller.principal.arn, need.action, need.resource, note=note)
        for kind, verdict in ((_AN_IDENTITY_POLICY, identity), (_A_RESOURCE_POLICY, of_resource), *limits):
            if verdict.denied:
                article = "an" if kind == _AN_IDENTITY_POLICY else "a"
                return refuse(f"with an explicit deny in {article} {kind}", explicit=True)
        if "self" in of_resource.grants:
            return None  # what names the very user or session is not limited by a boundary or a session policy
        if not identity.grants and not of_resource.grants & {"role", "anyone"}:
            return refuse(f"because no {_AN_IDENTITY_POLICY} allows the {{action}} action")
        for kind, verdict in limits:
            if not verdict.grants:
                return refuse(f"because no {kind} allows the {{action}} action")
        return None

    def _note(self, *verdicts: policies.Verdict) -> str:
        names = sorted({name for verdict in verdicts for name in verdict.not_evaluated})
        if not names:
            return ""
        return self._say(
            "The local cloud does not evaluate {names} in a policy's Condition: an Allow with it grants nothing here, "
            "and a Deny with it refuses. Write the statement without it.",
            names=", ".join(names),
        )

    def _may_not_assume(self, call: Call, caller: _Caller | None) -> Refusal | None:
        """A role that does not exist is refused like one that does not trust the caller: who asks cannot tell them apart."""
        role_arn = str(call.parameters.get("RoleArn", ""))
        if not role_arn.startswith("arn:"):
            return None  # for the service to refuse
        principal = caller.principal if caller is not None else policies.Principal(STUDENT_ARN, ACCOUNT)
        (need,) = actions.needs(call, _arn_of)
        denied = Refusal(principal.arn, need.action, role_arn, "")
        trust = _trust_policy(role_arn)
        if trust is None:
            return denied
        as_student = _Caller("user", STUDENT, principal, "AIDABENTOCOLASTUDENT")
        context = partial(_context, caller or as_student, _Held(), need, call)
        verdict = policies.read(trust).judge(policies.Asked(need.action, role_arn, principal, context))
        denied = replace(denied, note=self._note(verdict))
        if verdict.denied:
            return replace(denied, why=f"with an explicit deny in a {_A_RESOURCE_POLICY}", explicit=True)
        if not verdict.grants:
            return denied
        if caller is None:
            return None
        refusal = self._decide(caller, need, call)
        # In one account, a trust policy that names the caller is enough; one that names the account leaves it to IAM.
        is_enough = verdict.grants != {"account"}
        return None if refusal is not None and is_enough and not refusal.explicit else refusal

    def _policies_of(self, caller: _Caller) -> _Held:
        known = self._held.get((caller.kind, caller.name))
        if known is None:
            known = self._held[caller.kind, caller.name] = _read_policies(caller)
        return known

    # S3 refuses some things in its own way.

    def _s3(self, call: Call, caller: _Caller, answer: Answer) -> Response:
        if call.operation == "DeleteObjects":
            return self._delete_objects(call, caller, answer)
        response = answer(call)
        if call.operation in ("GetObject", "HeadObject") and response.status == 404:
            # "If you don't have the s3:ListBucket permission, Amazon S3 returns an HTTP status code 403":
            # https://docs.aws.amazon.com/AmazonS3/latest/API/API_GetObject.html
            need = Need("s3:ListBucket", f"arn:aws:s3:::{call.parameters.get('Bucket', '')}")
            if b"NoSuchBucket" not in response.body and (refusal := self._decide(caller, need, call)) is not None:
                return refusal.response(call)
        return response

    def _delete_objects(self, call: Call, caller: _Caller, answer: Answer) -> Response:
        """Each key is asked for by itself, and one that may not be deleted is an error of its own in the answer.

        https://docs.aws.amazon.com/AmazonS3/latest/API/API_DeleteObjects.html
        """
        try:
            wanted = ElementTree.fromstring(call.request.body)
        except ElementTree.ParseError:
            return answer(call)  # for S3 to refuse
        for element in wanted.iter():
            element.tag = element.tag.rpartition("}")[2]
        errors = ""
        for entry in wanted.findall("Object"):
            parts = {part.tag: part.text or "" for part in entry}
            action = "s3:DeleteObjectVersion" if parts.get("VersionId") else "s3:DeleteObject"
            need = Need(action, f"arn:aws:s3:::{call.parameters.get('Bucket', '')}/{parts.get('Key', '')}")
            if (refusal := self._decide(caller, need, call)) is not None:
                wanted.remove(entry)
                errors += (
                    f"<Error><Key>{escape(parts.get('Key', ''))}</Key><Code>AccessDenied</Code>"
                    f"<Message>{escape(refusal.message)}</Message></Error>"
                )
        if not errors:
            return answer(call)
        if wanted.find("Object") is None:
            body = f'<?xml version="1.0"?><DeleteResult xmlns="{_DELETE_RESULT}">{errors}</DeleteResult>'
            return Response(200, {"Content-Type": "application/xml"}, body.encode())
        body_left = ElementTree.tostring(wanted)
        unchecked = ("content-length", "content-md5")
        headers = {name: value for name, value in call.request.headers.items() if name.lower() not in unchecked}
        left = replace(call.request, body=body_left, headers={**headers, "Content-Length": str(len(body_left))})
        response = answer(replace(call, request=left))
        if response.status != 200:
            return response
        body_of_both = re.sub(
            rb"(</DeleteResult>|</\w+:DeleteResult>)", errors.encode().replace(b"\\", rb"\\") + rb"\1", response.body
        )
        headers = {name: value for name, value in response.headers.items() if name.lower() != "content-length"}
        return replace(response, headers=headers, body=body_of_both)


def _invalid_key(call: Call) -> Response:
    """https://docs.aws.amazon.com/IAM/latest/APIReference/CommonErrors.html; S3: ErrorResponses.html#ErrorCodeList."""
    if call.service == "s3":
        said = "The AWS Access Key Id you provided does not exist in our records."
        return _error(call, 403, "InvalidAccessKeyId", said)
    said = "The security token included in the request is invalid."
    if call.service in ("iam", "sts", "sqs"):
        return _error(call, 403, "InvalidClientTokenId", said)
    return _error(call, 403 if call.service == "lambda" else 400, "UnrecognizedClientException", said)


def _expired(call: Call) -> Response:
    if call.service == "s3":
        return _error(call, 400, "ExpiredToken", "The provided token has expired.")
    said = "The security token included in the request is expired"
    if call.service in ("iam", "sts", "sqs"):
        return _error(call, 403, "ExpiredToken", said)
    return _error(call, 403 if call.service == "lambda" else 400, "ExpiredTokenException", said)


# What moto keeps


def _session(assumed: Any) -> _Caller:
    """The caller of one of moto's assumed roles."""
    principal = policies.Principal(assumed.arn, ACCOUNT, assumed.role_arn)
    expires = assumed.expiration.replace(tzinfo=UTC)
    return _Caller("role", assumed.role_arn, principal, assumed.user_id, assumed.policy or None, expires)


def _by_arn(arn: str) -> _Caller:
    """The caller that a user's, a role's or a session's ARN names."""
    _, _, path = arn.partition(f":{ACCOUNT}:")
    kind, _, name = path.partition("/")
    if kind == "user":
        return _Caller("user", name.rpartition("/")[2], policies.Principal(arn, ACCOUNT))
    role = _arn_of("role", name.partition("/")[0]) if kind == "assumed-role" else arn
    return _Caller("role", role, policies.Principal(arn, ACCOUNT, role))


def _arn_of(kind: str, name: str) -> str:
    """The ARN of an IAM entity, with its path if there is such an entity."""
    from moto.iam.models import iam_backends

    backend = iam_backends[ACCOUNT][_PARTITION]
    entities: dict[str, Any] = {"user": backend.users, "group": backend.groups}
    found = entities[kind].get(name) if kind in entities else None
    if kind == "role":
        found = next((role for role in list(backend.roles.values()) if role.name == name), None)
    return str(found.arn) if found is not None else f"arn:aws:iam::{ACCOUNT}:{kind}/{name}"


def _role(arn: str) -> Any:
    from moto.iam.models import iam_backends

    return next((role for role in list(iam_backends[ACCOUNT][_PARTITION].roles.values()) if role.arn == arn), None)


def _trust_policy(role_arn: str) -> str | None:
    role = _role(role_arn)
    return None if role is None else str(role.assume_role_policy_document)


def _read_policies(caller: _Caller) -> _Held:
    from moto.iam.models import iam_backends

    backend = iam_backends[ACCOUNT][_PARTITION]
    entity: Any = _role(caller.name) if caller.kind == "role" else backend.users.get(caller.name)
    holders: list[Any] = [] if entity is None else [entity]
    if holders and caller.kind == "user":
        holders += backend.get_groups_for_user(caller.name)
    inline = [document for holder in holders for document in holder.policies.values()]
    attached = [policy for holder in holders for policy in holder.managed_policies.values()]
    tags: list[dict[str, str]] = [] if entity is None else entity.tags or []
    boundary_arn = getattr(entity, "permissions_boundary_arn", None)
    boundary = None
    if boundary_arn:
        try:
            boundary = _document(backend.get_policy(boundary_arn))
        except Exception:  # a boundary that is not there allows nothing
            boundary = "{}"
    return _Held(
        [*inline, *(_document(policy) for policy in attached)],
        boundary,
        {f"aws:principaltag/{tag['Key'].lower()}": tag["Value"] for tag in tags},
    )


def _document(managed: Any) -> str:
    return next((str(version.document) for version in managed.versions if version.is_default), "{}")


def _resource_policy(resource: str) -> str | None:
    """The policy of a queue, a bucket or a function, if it has one."""
    parts = resource.split(":", 5)
    if len(parts) < 6:
        return None
    _, _, service, region, _, name = parts
    if service == "sqs":
        from moto.sqs.models import sqs_backends

        queue = sqs_backends[ACCOUNT][region].queues.get(name) if region in sqs_backends[ACCOUNT].regions else None
        return None if queue is None else queue.policy
    if service == "s3":
        from moto.s3.models import s3_backends

        bucket = s3_backends[ACCOUNT][_PARTITION].buckets.get(name.partition("/")[0])
        found = None if bucket is None else bucket.policy
        return found.decode(errors="replace") if isinstance(found, bytes) else found
    if service == "lambda" and name.startswith("function:"):
        from moto.awslambda.models import lambda_backends

        backend = lambda_backends[ACCOUNT][region] if region in lambda_backends[ACCOUNT].regions else None
        try:
            function = None if backend is None else backend.get_function(name.split(":")[1])
        except Exception:  # there is none
            return None
        statements = [] if function is None else function.policy.statements
        return json.dumps({"Version": "2012-10-17", "Statement": statements}) if statements else None
    return None


def _context(caller: _Caller, held: _Held, need: Need, call: Call | None) -> policies.Context:
    """https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_condition-keys.html."""
    now = _now()
    parts = need.resource.split(":", 5)
    found = {
        "aws:currenttime": f"{now:%Y-%m-%dT%H:%M:%SZ}",
        "aws:epochtime": str(int(now.timestamp())),
        "aws:principalaccount": ACCOUNT,
        # For a session, the ARN of its role.
        "aws:principalarn": caller.principal.role or caller.principal.arn,
        "aws:principalisawsservice": "false",
        "aws:principaltype": "User" if caller.kind == "user" else "AssumedRole",
        "aws:requestedregion": call.region
        if call is not None
        else (parts[3] if len(parts) == 6 else "") or DEFAULT_REGION,
        "aws:resourceaccount": ACCOUNT,
        # Nothing leaves the machine. Policies that want TLS are not what a call of the local cloud should fail by.
        "aws:securetransport": "true",
        "aws:sourceip": "127.0.0.1",
        "aws:viaawsservice": "false",
        **held.tags,
    }
    if caller.kind == "user":
        found["aws:username"] = caller.name
    if caller.user_id:
        found["aws:userid"] = caller.user_id
    if call is not None and (agent := call.request.header("User-Agent")):
        found["aws:useragent"] = agent
    return {**{name: (value,) for name, value in found.items()}, **need.context()}


def _now() -> datetime:
    """The course's time."""
    from moto.core import utils

    return utils.utcnow().replace(tzinfo=UTC)
