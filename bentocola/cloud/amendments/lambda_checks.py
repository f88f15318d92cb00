"""What a function's configuration may hold: runtime, timeout, memory, environment and role. Plain checks, with AWS's words.

AWS: https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html,
https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html,
https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html and
https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-deployment.html
moto 5.2.5 checks that the role is there, and nothing else.
"""

from __future__ import annotations

import json
import re
from typing import Any

from bentocola.cloud import policies
from bentocola.cloud.amendments.lambda_requests import Parameters, Refusal, invalid

__all__ = ["MEMORY_MAXIMUM", "TIMEOUT_MAXIMUM", "check_configuration", "check_size"]

TIMEOUT_MAXIMUM = 1800
"""Seconds. 900 until AWS raised it in 2026; the API reference's general bound of 5,400 is for Lambda Managed Instances."""

MEMORY_MAXIMUM = 10_240
"""MB. The API reference's general bound of 32,768 is for Lambda Managed Instances."""

_ENVIRONMENT_BYTES = 4096
_CONFIGURATION_BYTES = 5120

# https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html#configuration-envvars-runtime
_RESERVED_KEYS = frozenset(
    {
        "AWS_ACCESS_KEY",
        "AWS_ACCESS_KEY_ID",
        "AWS_DEFAULT_REGION",
        "AWS_EXECUTION_ENV",
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE",
        "AWS_LAMBDA_FUNCTION_NAME",
        "AWS_LAMBDA_FUNCTION_VERSION",
        "AWS_LAMBDA_INITIALIZATION_TYPE",
        "AWS_LAMBDA_LOG_GROUP_NAME",
        "AWS_LAMBDA_LOG_STREAM_NAME",
        "AWS_LAMBDA_RUNTIME_API",
        "AWS_REGION",
        "AWS_SECRET_ACCESS_KEY",
        "AWS_SESSION_TOKEN",
        "LAMBDA_RUNTIME_DIR",
        "LAMBDA_TASK_ROOT",
    }
)

# https://docs.aws.amazon.com/lambda/latest/dg/lambda-runtimes.html#runtimes-deprecated, those that have long been blocked
_BLOCKED = re.compile(
    r"python(?:2\.7|3\.[67])|nodejs|nodejs(?:4\.3|4\.3-edge|6\.10|8\.10|1[024]\.x)|dotnetcore.*|go1\.x|java8|provided|ruby2\.\d"
)


def check_configuration(backend: Any, spec: Parameters) -> None:
    """Check what is given of a configuration. Raises Refusal at the first thing that cannot be."""
    if runtime := spec.get("Runtime"):
        _check_runtime(runtime)
    for name, longest in (("Timeout", TIMEOUT_MAXIMUM), ("MemorySize", MEMORY_MAXIMUM)):
        if spec.get(name, 0) > longest:
            raise invalid(
                f"'{name}' value failed to satisfy constraint: Member must have value less than or equal to {longest}"
            )
    if "Environment" in spec:
        _check_environment(spec)
    if role := spec.get("Role"):
        _check_role(backend, role)


def _check_runtime(runtime: str) -> None:
    from moto.core.utils import get_service_model

    known = get_service_model("lambda").shape_for("Runtime").enum
    if runtime not in known:
        raise invalid(
            f"Value {runtime} at 'runtime' failed to satisfy constraint: "
            f"Member must satisfy enum value set: [{', '.join(known)}] or be a valid ARN"
        )
    if _BLOCKED.fullmatch(runtime):
        raise invalid(
            f"The runtime parameter of {runtime} is no longer supported for creating or updating AWS Lambda functions. "
            "We recommend you use a supported runtime while creating or updating functions."
        )


def _environment(spec: Parameters) -> bytes:
    variables = (spec.get("Environment") or {}).get("Variables") or {}
    return json.dumps(variables, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "surrogatepass")


def _check_environment(spec: Parameters) -> None:
    variables = spec["Environment"].get("Variables") or {}
    cannot = (
        "Lambda was unable to configure your environment variables because the environment variables you have provided "
    )
    if reserved := sorted(_RESERVED_KEYS & set(variables)):
        raise invalid(
            f"{cannot}contains reserved keys that are currently not supported for modification. "
            f"Reserved keys used in this request: {', '.join(reserved)}"
        )
    if len(measured := _environment(spec)) > _ENVIRONMENT_BYTES:
        raise invalid(f"{cannot}exceeded the 4KB limit. String measured: {measured.decode('utf-8', 'replace')}")


def _check_role(backend: Any, arn: str) -> None:
    """The role must be there, in this account, and trust Lambda.

    https://docs.aws.amazon.com/lambda/latest/dg/lambda-intro-execution-role.html
    """
    from moto.iam.models import iam_backends

    account = arn.split(":")[4]
    if account != backend.account_id:
        raise Refusal("AccessDeniedException", "Cross-account pass role is not allowed.", 403)
    roles = iam_backends[account][backend.partition].roles.values()
    role = next((one for one in roles if one.arn == arn), None)
    trust = role.assume_role_policy_document if role is not None else ""
    if not policies.lets_service(trust, "lambda.amazonaws.com", "sts:AssumeRole", arn):
        raise invalid("The role defined for the function cannot be assumed by Lambda.")


def check_size(spec: Parameters) -> None:
    """A request that changes a configuration may be so large. One that its environment makes too large is told so itself."""
    size = len(json.dumps({name: value for name, value in spec.items() if name != "FunctionName"}))
    if size > _CONFIGURATION_BYTES and len(_environment(spec)) <= _ENVIRONMENT_BYTES:
        raise Refusal(
            "RequestEntityTooLargeException",
            f"Request must be smaller than {_CONFIGURATION_BYTES} bytes for the UpdateFunctionConfiguration operation",
            413,
        )
