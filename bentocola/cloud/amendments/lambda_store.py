"""Where moto keeps functions, as Lambda's amendments read and change it: by name and qualifier, at a version, with a revision.

AWS: https://docs.aws.amazon.com/lambda/latest/dg/configuration-versions.html and
https://docs.aws.amazon.com/lambda/latest/api/API_FunctionConfiguration.html
"""

from __future__ import annotations

import uuid
from typing import Any

from bentocola.cloud.amendments.lambda_requests import ACCOUNT, FunctionName, Parameters, Refusal, invalid, read_name

__all__ = [
    "LONGEST_PAGE",
    "arn_of",
    "backend_of",
    "check_revision",
    "find",
    "group_of",
    "latest_of",
    "named_in",
    "touch",
]

LONGEST_PAGE = 50
"""Items in a page of a list of functions, versions or aliases."""


def backend_of(region: str, name_or_arn: str) -> Any:
    """Return moto's backend for a region; where there is no such region, the function that is asked for is not there."""
    from moto.awslambda.models import lambda_backends

    backends = lambda_backends[ACCOUNT]
    if region not in backends.regions:
        arn = f"arn:aws:lambda:{region}:{ACCOUNT}:function:{name_or_arn}"
        raise Refusal("ResourceNotFoundException", f"Function not found: {arn}", 404)
    return backends[region]


def find(backend: Any, named: FunctionName) -> Any:
    """Return moto's function for a name and a qualifier. Raises Refusal when there is none."""
    group = backend._lambdas._functions.get(named.name)
    arn = arn_of(backend, named.name) + (f":{named.qualifier}" if named.qualifier else "")
    if group is None or group["latest"] is None:
        raise Refusal("ResourceNotFoundException", f"Function not found: {arn}", 404)
    version = named.qualifier or "$LATEST"
    alias = backend._lambdas._aliases[arn_of(backend, named.name)].get(version)
    version = alias.function_version if alias else version
    if version == "$LATEST":
        return group["latest"]
    found = next((one for one in group["versions"] if str(one.version) == version), None)
    if found is None:
        is_alias = not version.isdecimal() and version != "$LATEST.PUBLISHED"
        words = "Cannot find alias arn" if is_alias else "Function not found"
        raise Refusal("ResourceNotFoundException", f"{words}: {arn}", 404)
    return found


def arn_of(backend: Any, name: str) -> str:
    """Return a function's ARN, without a qualifier."""
    return f"arn:{backend.partition}:lambda:{backend.region_name}:{backend.account_id}:function:{name}"


def group_of(backend: Any, name: str) -> dict[str, Any]:
    """Return what moto keeps of a function that is there: `latest`, `versions`, and what the amendments add."""
    group: dict[str, Any] = backend._lambdas._functions[name]
    return group


def named_in(backend: Any, parameters: Parameters) -> FunctionName:
    """Return the function, and the version or alias, that a request names in either of two places."""
    return read_name(
        parameters["FunctionName"], backend.region_name, backend.account_id, parameters.get("Qualifier") or None
    )


def latest_of(backend: Any, parameters: Parameters) -> Any:
    """Return the function that an operation changes: the unpublished version, which alone can be changed."""
    named = named_in(backend, parameters)
    found = find(backend, FunctionName(named.name, None))
    if named.qualifier not in (None, "$LATEST"):
        raise invalid(
            "This operation is permitted on Lambda functions only. Aliases and versions do not support this operation. "
            "Please specify either a function name or an unqualified function ARN."
        )
    return found


def touch(changed: Any) -> None:
    """Give a function a new revision, at this moment: YYYY-MM-DDThh:mm:ss.sTZD."""
    from moto.core.utils import utcnow

    changed.revision_id = str(uuid.uuid4())
    changed.last_modified = utcnow().strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3] + "+0000"


def check_revision(changed: Any, parameters: Parameters) -> None:
    """Refuse a request that names a RevisionId which a function, or an alias, no longer has."""
    if (revision := parameters.get("RevisionId")) and revision != changed.revision_id:
        raise Refusal(
            "PreconditionFailedException",
            "The RevisionId provided does not match the latest RevisionId. Call the GetFunction or the GetAlias API to "
            "retrieve the latest RevisionId for your resource.",
            412,
        )
