"""Functions as Lambda documents them: made, changed, looked at and deleted, with their states. moto never runs one.

AWS: https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html and its neighbours (UpdateFunctionCode,
UpdateFunctionConfiguration, GetFunction, ListFunctions, DeleteFunction) and
https://docs.aws.amazon.com/lambda/latest/dg/functions-states.html

moto 5.2.5 (`moto/awslambda`): checks next to nothing (see `lambda_checks` and `lambda_code`, `lambda_versions` and
`lambda_limits`, which this module puts into force with its own operations); knows no partial ARN and no revision; is `Active` at
once; never pages a list; and would run a function in Docker from within another service's call.

The states are passed at once: an answer says Pending or InProgress, and the next call finds Active or Successful. So no update
meets another one in progress. Left as it is: layers, function URLs, container images, VPCs, dead-letter queues, tags, policies.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from types import ModuleType
from typing import Any

from bentocola.cloud.amendments import lambda_limits, lambda_versions
from bentocola.cloud.amendments.lambda_checks import check_configuration, check_size
from bentocola.cloud.amendments.lambda_code import read_code
from bentocola.cloud.amendments.lambda_limits import maximum_event_age, reserved_concurrency, retry_attempts
from bentocola.cloud.amendments.lambda_requests import (
    ACCOUNT,
    Answered,
    FunctionName,
    Operation,
    Parameters,
    Refusal,
    answer_with,
    invalid,
    method_of,
    page,
    read_name,
    when_imported,
)
from bentocola.cloud.amendments.lambda_store import (
    LONGEST_PAGE,
    arn_of,
    backend_of,
    check_revision,
    find,
    group_of,
    latest_of,
    named_in,
    touch,
)
from bentocola.cloud.amendments.lambda_versions import publish
from bentocola.cloud.functions.spec import FunctionSpec

__all__ = [
    "find",
    "function",
    "install",
    "maximum_event_age",
    "on_event",
    "reserved_concurrency",
    "retry_attempts",
    "self_test",
]


def _nothing(function_arn: str, event: str) -> None:
    pass


on_event: Callable[[str, str], None] = _nothing
"""Is told of an asynchronous event that a service of moto's has for a function, S3 or a log subscription say: the function's
ARN and the event's JSON. Nothing happens by default. The cloud sets it."""


# What the cloud looks at


def function(region: str, name_or_arn: str, qualifier: str | None = None) -> FunctionSpec:
    """Return the function under a name or ARN in any documented form; `arn` has the version or alias that was named.

    Raises Refusal with AWS's own words when there is none.
    """
    backend = backend_of(region, name_or_arn)
    named = read_name(name_or_arn, region, ACCOUNT, qualifier)
    found = find(backend, named)
    arn = arn_of(backend, named.name)
    return FunctionSpec(
        arn=f"{arn}:{named.qualifier}" if named.qualifier else arn,
        name=found.function_name,
        version=str(found.version),
        region=region,
        runtime=found.run_time or "",
        handler=found.handler or "",
        code=getattr(found, "code_bytes", b""),
        code_sha256=found.code_sha_256,
        timeout=int(found.timeout),
        memory=int(found.memory_size),
        environment=dict(found.environment_vars),
        role_arn=found.role,
        log_group=found.logs_group_name,
    )


# Creating and changing


def _create(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    spec = {**parameters, "FunctionName": named.name}
    is_zip = spec.get("PackageType", "Zip") == "Zip"
    if is_zip and not (spec.get("Runtime") and spec.get("Handler")):
        raise invalid("Runtime and Handler are mandatory parameters for functions created with deployment packages.")
    check_configuration(backend, spec)
    if named.name in backend._lambdas._functions:
        raise Refusal("ResourceConflictException", f"Function already exist: {named.name}", 409)
    if is_zip:
        spec["Code"] = {"ZipFile": read_code(backend, spec["Code"], "CreateFunction")}
    publishes = spec.pop("Publish", False)
    created = backend.create_function(spec)
    created.logs_group_name = _log_group(spec, created.logs_group_name)
    touch(created)
    config = created.get_configuration(on_create=True)
    if publishes:
        config["Version"] = str(publish(backend, named.name, "").version)
    return 201, {"status": 201}, json.dumps(config)


def _update_code(backend: Any, parameters: Parameters) -> Answered:
    changed = latest_of(backend, parameters)
    check_revision(changed, parameters)
    if changed.package_type != "Zip":
        return 200, {}, json.dumps(backend.update_function_code(changed.function_name, None, parameters))
    code = {name: parameters[name] for name in _SOURCES if name in parameters}
    archive = read_code(backend, code, "UpdateFunctionCode")
    if parameters.get("DryRun"):
        return 200, {}, json.dumps(changed.get_configuration())
    if architectures := parameters.get("Architectures"):
        changed.architectures = architectures
    # A dict of its own: published versions share the one they were copied with.
    changed.code = dict(changed.code)
    changed.update_function_code({"ZipFile": archive})
    return _changed(backend, changed, publishes=bool(parameters.get("Publish")))


_SOURCES = ("ZipFile", "S3Bucket", "S3Key", "S3ObjectVersion", "ImageUri")


def _update_configuration(backend: Any, parameters: Parameters) -> Answered:
    changed = latest_of(backend, parameters)
    check_revision(changed, parameters)
    check_size(parameters)
    check_configuration(backend, parameters)
    updates = dict(parameters)
    if "Environment" in updates:
        updates["Environment"] = {"Variables": updates["Environment"].get("Variables") or {}}
    if storage := updates.pop("EphemeralStorage", None):
        changed.ephemeral_storage = storage["Size"]
    if tracing := updates.pop("TracingConfig", None):
        changed.tracing_config = tracing
    changed.update_configuration(updates)
    changed.logs_group_name = _log_group(updates, changed.logs_group_name)
    return _changed(backend, changed, publishes=False)


def _changed(backend: Any, changed: Any, publishes: bool) -> Answered:
    """Answer an update: it is in progress for this answer, and done by the next call."""
    changed.code_or_config_updated = True
    touch(changed)
    config = (publish(backend, changed.function_name, "") if publishes else changed).get_configuration()
    config |= {
        "LastUpdateStatus": "InProgress",
        "LastUpdateStatusReason": "The function is being created.",
        "LastUpdateStatusReasonCode": "Creating",
    }
    return 200, {}, json.dumps(config)


def _log_group(spec: Parameters, default: str) -> str:
    return str((spec.get("LoggingConfig") or {}).get("LogGroup") or default)


# Looking and deleting


def _get(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    found = find(backend, named)
    code = found.get_code()
    code["Configuration"] = _shown(backend, named, found)
    reserved = group_of(backend, named.name)["latest"].reserved_concurrency
    code.pop("Concurrency", None)
    if reserved is not None:
        code["Concurrency"] = {"ReservedConcurrentExecutions": reserved}
    return 200, {}, json.dumps(code)


def _get_configuration(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    return 200, {}, json.dumps(_shown(backend, named, find(backend, named)))


def _shown(backend: Any, named: FunctionName, found: Any) -> dict[str, Any]:
    config: dict[str, Any] = found.get_configuration()
    if named.qualifier:
        config["FunctionArn"] = f"{arn_of(backend, named.name)}:{named.qualifier}"
    return config


_NOT_LISTED = (
    "State",
    "StateReason",
    "StateReasonCode",
    "LastUpdateStatus",
    "LastUpdateStatusReason",
    "LastUpdateStatusReasonCode",
    "RuntimeVersionConfig",
)


def _listed(found: Any, arn: str) -> dict[str, Any]:
    """ "A subset of the FunctionConfiguration fields", https://docs.aws.amazon.com/lambda/latest/api/API_ListFunctions.html"""
    config = {name: value for name, value in found.get_configuration().items() if name not in _NOT_LISTED}
    return {**config, "FunctionArn": arn}


def _list(backend: Any, parameters: Parameters) -> Answered:
    shown = []
    for name, group in backend._lambdas._functions.items():
        arn = arn_of(backend, name)
        if parameters.get("FunctionVersion") == "ALL":
            shown += [_listed(group["latest"], f"{arn}:$LATEST")]
            shown += [_listed(one, f"{arn}:{one.version}") for one in group["versions"]]
        else:
            shown.append(_listed(group["latest"], arn))
    return 200, {}, json.dumps(page(shown, parameters, "Functions", LONGEST_PAGE))


def _list_versions(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    found, arn = find(backend, FunctionName(named.name, None)), arn_of(backend, named.name)
    versions = [_listed(one, f"{arn}:{one.version}") for one in group_of(backend, named.name)["versions"]]
    shown = [_listed(found, f"{arn}:$LATEST"), *versions]
    return 200, {}, json.dumps(page(shown, parameters, "Versions", LONGEST_PAGE))


def _delete(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    if named.qualifier == "$LATEST":
        raise invalid("$LATEST version cannot be deleted without deleting the function.")
    find(backend, FunctionName(named.name, None))
    arn, storage = arn_of(backend, named.name), backend._lambdas
    if named.qualifier is None:
        storage._aliases.pop(arn, None)
        storage.del_function(named.name)
        return 204, {"status": 204}, ""
    if named.qualifier in storage._aliases[arn]:
        raise invalid("Deletion of aliases is not currently supported.")
    using = sorted(alias.name for alias in storage._aliases[arn].values() if alias.function_version == named.qualifier)
    if using:  # "You can't delete a version that an alias references"
        raise Refusal(
            "ResourceConflictException",
            f"Version {named.qualifier} cannot be deleted: it is referenced by the aliases [{', '.join(using)}].",
            409,
        )
    version = find(backend, named)
    group_of(backend, named.name)["versions"].remove(version)
    return 204, {"status": 204}, ""


# In moto's place

_OPERATIONS: dict[str, Operation] = {
    **lambda_versions.OPERATIONS,
    **lambda_limits.OPERATIONS,
    "CreateFunction": _create,
    "UpdateFunctionCode": _update_code,
    "UpdateFunctionConfiguration": _update_configuration,
    "GetFunction": _get,
    "GetFunctionConfiguration": _get_configuration,
    "ListFunctions": _list,
    "ListVersionsByFunction": _list_versions,
    "DeleteFunction": _delete,
}

_of_moto: dict[str, Callable[..., Any]] = {}


def _configuration(found: Any, on_create: bool = False) -> dict[str, Any]:
    """moto's configuration of a function, with what it lacks and without what AWS leaves out."""
    config: dict[str, Any] = _of_moto["get_configuration"](found, on_create)
    config = {name: value for name, value in config.items() if value is not None and (name, value) != ("Layers", [])}
    config["RevisionId"] = found.revision_id
    config["LoggingConfig"] = {"LogFormat": "Text", "LogGroup": found.logs_group_name}
    if on_create:
        # The next call finds the function active: creating it has taken no longer than that.
        config |= {"State": "Pending", "StateReason": "The function is being created.", "StateReasonCode": "Creating"}
    return config


def _handed_on(found: Any, body: Any, request_headers: Any, response_headers: Any) -> str:
    """An event from within another of moto's services: nothing runs in here."""
    on_event(found.function_arn, body)
    return ""


def _runs_nothing(found: Any, event: str | None = None) -> tuple[str, bool, str]:
    return "", False, ""


def _amend(responses: ModuleType) -> None:
    from moto.awslambda import models

    for operation, answer in _OPERATIONS.items():
        answer_with(responses.LambdaResponse, operation, answer)
    model: Any = models.LambdaFunction
    if model.get_configuration is not _configuration:
        _of_moto["get_configuration"] = model.get_configuration
        model.get_configuration = _configuration
    model.revision_id = ""
    model.invoke = _handed_on
    model._invoke_lambda = _runs_nothing


def _amend_addresses(urls: ModuleType) -> None:
    # Names that no function can have need an answer too.
    for address in _ADDRESSES:
        urls.url_paths.setdefault(address, urls.LambdaResponse.dispatch)


_ADDRESSES = tuple(
    "{0}/(?P<api_version>[^/]+)/functions/(?P<function_name>[^/]+)" + rest
    for rest in (
        "/?$",
        "/(?:aliases|versions|configuration|code|concurrency|event-invoke-config)/?$",
        "/aliases/(?P<alias_name>[^/]+)/?$",
        "/event-invoke-config/list$",
    )
)


def install() -> None:
    """Answer for functions in moto's place, and let nothing in moto run one."""
    when_imported("moto.awslambda.responses", _amend)
    when_imported("moto.awslambda.urls", _amend_addresses)


def self_test() -> None:
    """Raise if this moto no longer has what is replaced here, or what is read of its functions."""
    from moto.awslambda import models, responses

    for operation in _OPERATIONS:
        if not hasattr(responses.LambdaResponse, method_of(operation)):
            raise TypeError(f"LambdaResponse has no {method_of(operation)}")
    expected = {"get_configuration": ["self", "on_create"], "invoke": ["self", "body", "request_headers"]}
    for name, wanted in expected.items():
        ours = {"get_configuration": _configuration, "invoke": _handed_on}[name]
        method = getattr(models.LambdaFunction, name)
        if method is not ours and (got := list(inspect.signature(method).parameters)[: len(wanted)]) != wanted:
            raise TypeError(f"LambdaFunction.{name} takes {got}, expected {wanted}")
    if not hasattr(models.LambdaFunction, "_invoke_lambda"):
        raise TypeError("LambdaFunction has no _invoke_lambda")
    storage = models.LambdaStorage("us-east-1", "123456789012")
    for name in ("_functions", "_aliases", "_arns"):
        if not hasattr(storage, name):
            raise TypeError(f"LambdaStorage has no {name}")
