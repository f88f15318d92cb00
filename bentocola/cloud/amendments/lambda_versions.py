"""Versions and aliases of functions as Lambda documents them.

AWS: https://docs.aws.amazon.com/lambda/latest/dg/configuration-versions.html,
https://docs.aws.amazon.com/lambda/latest/api/API_PublishVersion.html and
https://docs.aws.amazon.com/lambda/latest/api/API_CreateAlias.html
moto 5.2.5 gives the number of a deleted version again, publishes a version although nothing changed since the first, answers
GetAlias with 201, knows no RevisionId and no page. AWS has no words for an alias's version that is to be deleted; ours are used.
"""

from __future__ import annotations

import copy
import json
import uuid
from typing import Any

from bentocola.cloud.amendments.lambda_requests import (
    Answered,
    FunctionName,
    Operation,
    Parameters,
    Refusal,
    invalid,
    page,
)
from bentocola.cloud.amendments.lambda_store import (
    LONGEST_PAGE,
    arn_of,
    check_revision,
    find,
    group_of,
    latest_of,
    named_in,
    touch,
)

__all__ = ["OPERATIONS", "publish"]


def _publish_version(backend: Any, parameters: Parameters) -> Answered:
    latest = latest_of(backend, parameters)
    check_revision(latest, parameters)
    sha256 = parameters.get("CodeSha256")
    if sha256 and sha256 != latest.code_sha_256:
        raise invalid(
            f"CodeSHA256 ({sha256}) is different from current CodeSHA256 in $LATEST ({latest.code_sha_256}). "
            "Please try again with the CodeSHA256 in $LATEST."
        )
    published = publish(backend, latest.function_name, parameters.get("Description", ""))
    return 201, {"status": 201}, json.dumps(published.get_configuration())


def publish(backend: Any, name: str, description: str) -> Any:
    """Publish the function as it is now. "Lambda doesn't publish a version if [nothing has] changed since the last version"."""
    group = group_of(backend, name)
    latest, versions = group["latest"], group["versions"]
    if versions and not latest.code_or_config_updated:
        return versions[-1]
    latest.code_or_config_updated = False
    published = copy.copy(latest)
    # A number is used once, whatever was deleted since.
    group["published"] = number = group.get("published", 0) + 1
    published.set_version(number)
    published.description = description or latest.description
    published.code, published.environment_vars = dict(latest.code), dict(latest.environment_vars)
    touch(published)
    versions.append(published)
    backend._lambdas._arns[published.function_arn] = published
    return published


def _create_alias(backend: Any, parameters: Parameters) -> Answered:
    named, name = _of_alias(backend, parameters)
    find(backend, FunctionName(named.name, parameters["FunctionVersion"]))
    if name in backend._lambdas._aliases[arn_of(backend, named.name)]:
        arn = f"{arn_of(backend, named.name)}:{name}"
        raise Refusal("ResourceConflictException", f"Alias already exists: {arn}", 409)
    alias = backend.create_alias(
        name,
        named.name,
        parameters["FunctionVersion"],
        parameters.get("Description", ""),
        parameters.get("RoutingConfig"),
    )
    return 201, {"status": 201}, json.dumps(_alias(alias))


def _get_alias(backend: Any, parameters: Parameters) -> Answered:
    named, name = _of_alias(backend, parameters)
    return 200, {}, json.dumps(_alias(_find_alias(backend, named, name)))


def _update_alias(backend: Any, parameters: Parameters) -> Answered:
    named, name = _of_alias(backend, parameters)
    alias = _find_alias(backend, named, name)
    check_revision(alias, parameters)
    if version := parameters.get("FunctionVersion"):
        find(backend, FunctionName(named.name, version))
    alias.update(parameters.get("Description"), version, parameters.get("RoutingConfig"))
    alias.revision_id = str(uuid.uuid4())
    return 200, {}, json.dumps(_alias(alias))


def _delete_alias(backend: Any, parameters: Parameters) -> Answered:
    named, name = _of_alias(backend, parameters)
    backend._lambdas._aliases[arn_of(backend, named.name)].pop(name, None)
    return 204, {"status": 204}, ""


def _list_aliases(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    find(backend, FunctionName(named.name, None))
    aliases = sorted(backend._lambdas._aliases[arn_of(backend, named.name)].values(), key=lambda alias: str(alias.name))
    version = parameters.get("FunctionVersion")
    shown = [_alias(alias) for alias in aliases if version in (None, alias.function_version)]
    return 200, {}, json.dumps(page(shown, parameters, "Aliases", LONGEST_PAGE))


def _of_alias(backend: Any, parameters: Parameters) -> tuple[FunctionName, str]:
    named = named_in(backend, parameters)
    find(backend, FunctionName(named.name, None))
    return named, str(parameters["Name"])


def _find_alias(backend: Any, named: FunctionName, name: str) -> Any:
    alias = backend._lambdas._aliases[arn_of(backend, named.name)].get(name)
    if alias is None:
        raise Refusal("ResourceNotFoundException", f"Cannot find alias arn: {arn_of(backend, named.name)}:{name}", 404)
    return alias


def _alias(alias: Any) -> dict[str, Any]:
    return {name: value for name, value in alias.to_json().items() if value is not None}


OPERATIONS: dict[str, Operation] = {
    "PublishVersion": _publish_version,
    "CreateAlias": _create_alias,
    "GetAlias": _get_alias,
    "UpdateAlias": _update_alias,
    "DeleteAlias": _delete_alias,
    "ListAliases": _list_aliases,
}
"""To be answered in moto's place. `lambda_functions` sees to it."""
