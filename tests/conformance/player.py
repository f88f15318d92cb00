"""Plays a behaviour's steps on a target. The steps are data; README.md lists them. No step is run as Python."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from botocore.exceptions import ClientError, ParamValidationError

from tests.conformance.expectations import Unmet, expect, expect_error
from tests.conformance.notation import Made, MissingError, filled

__all__ = ["STEPS", "NotApplicable", "Outcome", "Target", "play"]

TRIES = 40
"""How often `eventually` and `collect` look, and let the cloud work in between, before they give up."""

_NO_SUCH_OPERATION = {"InvalidAction", "UnknownOperationException", "NotImplemented", "501"}
"""How an implementation says that it does not have an operation at all: no refusal that a behaviour could expect."""

_FAILED_ITSELF = {"InternalFailure", "InternalError", "InternalServerError", "ServiceException", "500"}
"""How an implementation says that it broke: no refusal that a behaviour could expect, whatever its status."""

_EVERYTHING = {"Version": "2012-10-17", "Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]}
_FOR_LAMBDA = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"}],
}


class NotApplicable(Exception):
    """The target cannot show the behaviour: it has no clock to move."""


class Target(Protocol):
    """An implementation that behaviours are played on."""

    name: str
    account: str
    region: str

    def client(self, service: str, *, credentials: Any, checked: bool, region: str) -> Any:
        """Return a boto3 client. `checked`: botocore checks parameters' types before it sends them."""

    def now(self) -> int:
        """Return the target's present, in milliseconds since 1970."""

    def advance(self, seconds: float) -> None:
        """Let time pass, or raise NotApplicable."""

    def turn(self) -> None:
        """Let the cloud do what it does by itself: poll its mappings, deliver its events."""


@dataclass(frozen=True)
class Outcome:
    """How a behaviour went: "holds", "fails" (an expectation was not met), "broke" (no AWS answer came), "n/a"; and why."""

    verdict: str
    why: str = ""


@dataclass
class _Scene:
    target: Target
    setups: Mapping[str, Any]
    saved: dict[str, Any] = field(default_factory=dict)
    mappings: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)


def play(behaviour: Mapping[str, Any], setups: Mapping[str, Any], target: Target, suffix: str = "") -> Outcome:
    """Play a behaviour. Raises only for data that is written wrong."""
    scene = _Scene(
        target,
        setups,
        {
            "name": f"{behaviour['id']}{suffix}",
            "account": target.account,
            "region": target.region,
            "now": target.now(),
        },
    )
    try:
        _steps(scene, behaviour["steps"])
    except (Unmet, MissingError) as unmet:
        return Outcome("fails", str(unmet))
    except NotApplicable as reason:
        return Outcome("n/a", str(reason))
    except _BrokeError as broke:
        return Outcome("broke", str(broke))
    finally:
        _tidy(scene)
    return Outcome("holds")


class _BrokeError(Exception):
    """The target answered with something that is no answer of AWS: a stack trace, a closed connection."""


def _tidy(scene: _Scene) -> None:
    """Delete what would go on working for the behaviours after this one. Failing at that is no verdict on this one."""
    client = scene.target.client("lambda", credentials=None, checked=True, region=scene.target.region)
    for uuid in scene.mappings:
        with suppress(Exception):
            client.delete_event_source_mapping(UUID=uuid)
    for name in scene.functions:
        with suppress(Exception):
            client.delete_function(FunctionName=name)


def _steps(scene: _Scene, steps: list[Any]) -> None:
    for step in steps:
        kind = next((kind for kind in STEPS if kind in step), None)
        if kind is None:
            raise ValueError(f"no such step: {sorted(step)}")
        STEPS[kind](scene, step)


def _use(scene: _Scene, step: Mapping[str, Any]) -> None:
    setup = scene.setups[step["use"]]
    outer = scene.saved.get("given")
    scene.saved["given"] = {**filled(setup.get("given", {}), scene.saved), **filled(step.get("given", {}), scene.saved)}
    _steps(scene, setup["steps"])
    scene.saved["given"] = outer


def _call(scene: _Scene, step: Mapping[str, Any]) -> None:
    try:
        result = _asked(scene, step)
    except ClientError as refused:
        if (code := refused.response["Error"].get("Code")) in _NO_SUCH_OPERATION:
            raise Unmet(f"there is no {step['call']}: {refused}") from None
        if code in _FAILED_ITSELF:
            raise _BrokeError(f"{step['call']}: {refused}") from None
        if "error" not in step:
            error = refused.response["Error"]
            raise Unmet(f"{step['call']} was refused: {error.get('Code')}: {str(error.get('Message'))[:300]}") from None
        expect_error(filled(step["error"], scene.saved), refused.response)
        _save(scene, step, refused.response)
        return
    if "error" in step:
        raise Unmet(f"{step['call']}: expected the error {filled(step['error'], scene.saved)!r}, but it was accepted")
    _save(scene, step, result)
    expect(filled(step.get("expect", {}), scene.saved), result)


def _asked(scene: _Scene, step: Mapping[str, Any]) -> dict[str, Any]:
    service, _, operation = step["call"].partition(".")
    client = scene.target.client(
        service,
        credentials=filled(step["as"], scene.saved) if "as" in step else None,
        checked=not step.get("unchecked", False),
        region=step.get("in", scene.target.region),
    )
    parameters = {**filled(step.get("with", {}), scene.saved), **filled(step.get("also", {}), scene.saved)}
    call = getattr(client, operation)
    try:
        result = _plain(call(**parameters))
    except (ClientError, ParamValidationError):
        raise
    except NotImplementedError:  # moto's word for an operation that it does not have
        raise Unmet(f"there is no {step['call']}") from None
    except Exception as broke:  # a lost connection; and a mock in this process hands on its own failures
        raise _BrokeError(f"{step['call']}: {type(broke).__name__}: {str(broke)[:300]}") from broke
    if operation == "create_event_source_mapping":
        scene.mappings.append(result["UUID"])
    elif operation == "create_function":
        scene.functions.append(result["FunctionName"])
    return result


def _plain(response: dict[str, Any]) -> dict[str, Any]:
    """The response with its streams read: a function's payload as JSON (`Payload`) and as text (`PayloadText`)."""
    for name in ("Body", "Payload"):
        if hasattr(response.get(name), "read"):
            text = response[name].read().decode(errors="replace")
            response[name] = text
            if name == "Payload":
                response["PayloadText"] = text
                try:
                    response[name] = json.loads(text) if text else None
                except ValueError:
                    response[name] = None
    return response


def _save(scene: _Scene, step: Mapping[str, Any], result: Any) -> None:
    if "save" in step:
        scene.saved[step["save"]] = result


def _check(scene: _Scene, step: Mapping[str, Any]) -> None:
    expect(filled(step["check"], scene.saved), scene.saved)


def _advance(scene: _Scene, step: Mapping[str, Any]) -> None:
    scene.target.advance(step["advance"])


def _turn(scene: _Scene, step: Mapping[str, Any]) -> None:
    for _ in range(step["turn"]):
        scene.target.turn()


def _eventually(scene: _Scene, step: Mapping[str, Any]) -> None:
    _until(scene, lambda: _steps(scene, step["eventually"]), step.get("tries", TRIES))


def _until(scene: _Scene, attempt: Callable[[], None], tries: int = TRIES) -> None:
    for left in reversed(range(tries)):
        try:
            attempt()
            return
        except (Unmet, MissingError):
            if not left:
                raise
        scene.target.turn()


def _collect(scene: _Scene, step: Mapping[str, Any]) -> None:
    """Receive and delete until `until` holds of what was saved, and then once more: what comes too much counts as well."""
    got: list[Any] = []
    scene.saved[step.get("save", "got")] = got
    url = filled(step["collect"], scene.saved)
    ask = {
        "QueueUrl": url,
        "MaxNumberOfMessages": 10,
        "MessageSystemAttributeNames": ["All"],
        "MessageAttributeNames": ["All"],
    }

    def attempt() -> None:
        while messages := _asked(scene, {"call": "sqs.receive_message", "with": ask}).get("Messages"):
            got.extend(messages)
            for message in messages:
                gone = {"QueueUrl": url, "ReceiptHandle": message["ReceiptHandle"]}
                _asked(scene, {"call": "sqs.delete_message", "with": gone})
        expect(filled(step["until"], scene.saved), scene.saved)

    _until(scene, attempt, step.get("tries", TRIES))
    scene.target.turn()
    attempt()


def _deploy(scene: _Scene, step: Mapping[str, Any]) -> None:
    """Make a role and a function of the source, and wait until it is there."""
    name = filled(step["deploy"], scene.saved)
    role = filled(step["role"], scene.saved) if "role" in step else _role(scene, name, step.get("policy", _EVERYTHING))
    asked = {
        "FunctionName": name,
        "Runtime": "python3.12",
        "Role": role,
        "Handler": "lambda_function.lambda_handler",
        "Code": {"ZipFile": Made("!zip", {"lambda_function.py": step["source"]})},
        **filled(step.get("with", {}), scene.saved),
    }
    _call(
        scene, {"call": "lambda.create_function", "with": asked, **({"save": step["save"]} if "save" in step else {})}
    )
    there = {"Configuration.State": "Active"}
    _until(
        scene, lambda: _call(scene, {"call": "lambda.get_function", "with": {"FunctionName": name}, "expect": there})
    )


def _role(scene: _Scene, name: str, policy: Any) -> str:
    role = f"{name}-role"
    made = {"RoleName": role, "AssumeRolePolicyDocument": Made("!json", _FOR_LAMBDA)}
    arn = _asked(scene, {"call": "iam.create_role", "with": made})["Role"]["Arn"]
    allowed = {"RoleName": role, "PolicyName": "allowed", "PolicyDocument": Made("!json", policy)}
    _asked(scene, {"call": "iam.put_role_policy", "with": allowed})
    return str(arn)


STEPS: dict[str, Callable[[_Scene, Mapping[str, Any]], None]] = {
    "call": _call,
    "check": _check,
    "use": _use,
    "deploy": _deploy,
    "collect": _collect,
    "eventually": _eventually,
    "advance": _advance,
    "turn": _turn,
}
"""The kinds of steps, by the word that tells them."""
