"""How many runs a function may have at a time, and how its asynchronous events are tried again: data for who runs it.

AWS: https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionConcurrency.html,
https://docs.aws.amazon.com/lambda/latest/api/API_PutFunctionEventInvokeConfig.html and
https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
moto 5.2.5 does not show a reserved concurrency of 0, lets a function take all of the account's, and keeps the first event invoke
configuration whatever is put afterwards. Destinations are kept, and nobody sends anything there.
"""

from __future__ import annotations

import json
from typing import Any

from bentocola.cloud.amendments.lambda_requests import (
    ACCOUNT,
    Answered,
    FunctionName,
    Operation,
    Parameters,
    Refusal,
    invalid,
    page,
    read_name,
)
from bentocola.cloud.amendments.lambda_store import (
    LONGEST_PAGE,
    arn_of,
    backend_of,
    find,
    group_of,
    latest_of,
    named_in,
)

__all__ = ["OPERATIONS", "maximum_event_age", "reserved_concurrency", "retry_attempts"]

_ACCOUNT_CONCURRENCY = 1000
_UNRESERVED_MINIMUM = 100


def reserved_concurrency(region: str, name_or_arn: str) -> int | None:
    """Return how many runs the function may have at a time; 0 throttles it, None leaves it to the account."""
    backend = backend_of(region, name_or_arn)
    named = read_name(name_or_arn, region, ACCOUNT)
    found = find(backend, FunctionName(named.name, None))
    return None if found.reserved_concurrency is None else int(found.reserved_concurrency)


def retry_attempts(region: str, name_or_arn: str, qualifier: str | None = None) -> int:
    """Return how often an asynchronous event that failed is tried again: 0 to 2, and 2 where nobody set it.

    https://docs.aws.amazon.com/lambda/latest/dg/invocation-async-error-handling.html
    """
    return int(_invoke_config(region, name_or_arn, qualifier).get("MaximumRetryAttempts", 2))


def maximum_event_age(region: str, name_or_arn: str, qualifier: str | None = None) -> int:
    """Return how many seconds an asynchronous event may wait before it is dropped: 60 to 21,600, the default."""
    return int(_invoke_config(region, name_or_arn, qualifier).get("MaximumEventAgeInSeconds", 21600))


def _invoke_config(region: str, name_or_arn: str, qualifier: str | None) -> dict[str, Any]:
    backend = backend_of(region, name_or_arn)
    named = read_name(name_or_arn, region, ACCOUNT, qualifier)
    find(backend, named)
    return _invoke_configs(backend, named).get(_invoke_key(named), {})


def _put_concurrency(backend: Any, parameters: Parameters) -> Answered:
    changed = latest_of(backend, parameters)
    wanted = parameters["ReservedConcurrentExecutions"]
    groups = backend._lambdas._functions.values()
    others = sum(one["latest"].reserved_concurrency or 0 for one in groups if one["latest"] is not changed)
    if _ACCOUNT_CONCURRENCY - others - wanted < _UNRESERVED_MINIMUM:
        raise invalid(
            "Specified ReservedConcurrentExecutions for function decreases account's UnreservedConcurrentExecution below "
            f"its minimum value of [{_UNRESERVED_MINIMUM}]."
        )
    changed.reserved_concurrency = wanted
    return 200, {}, json.dumps({"ReservedConcurrentExecutions": wanted})


def _get_concurrency(backend: Any, parameters: Parameters) -> Answered:
    reserved = latest_of(backend, parameters).reserved_concurrency
    return 200, {}, json.dumps({} if reserved is None else {"ReservedConcurrentExecutions": reserved})


def _delete_concurrency(backend: Any, parameters: Parameters) -> Answered:
    latest_of(backend, parameters).reserved_concurrency = None
    return 204, {"status": 204}, ""


def _invoke_configs(backend: Any, named: FunctionName) -> dict[str, dict[str, Any]]:
    configs: dict[str, dict[str, Any]] = group_of(backend, named.name).setdefault("invoke_configs", {})
    return configs


def _invoke_key(named: FunctionName) -> str:
    return named.qualifier or "$LATEST"


def _put_invoke_config(backend: Any, parameters: Parameters) -> Answered:
    """ "If you exclude any settings, they are removed.\""""
    return _store_invoke_config(backend, parameters, {})


def _update_invoke_config(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    find(backend, named)
    return _store_invoke_config(backend, parameters, _invoke_configs(backend, named).get(_invoke_key(named), {}))


def _store_invoke_config(backend: Any, parameters: Parameters, before: dict[str, Any]) -> Answered:
    from moto.core.utils import unix_time

    named = named_in(backend, parameters)
    find(backend, named)
    settings = ("MaximumRetryAttempts", "MaximumEventAgeInSeconds", "DestinationConfig")
    given = {name: parameters[name] for name in settings if name in parameters}
    config = {
        **before,
        **given,
        "FunctionArn": f"{arn_of(backend, named.name)}:{_invoke_key(named)}",
        "LastModified": unix_time(),
    }
    _invoke_configs(backend, named)[_invoke_key(named)] = config
    return 200, {}, json.dumps(config)


def _get_invoke_config(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    known = named.name in backend._lambdas._functions
    config = _invoke_configs(backend, named).get(_invoke_key(named)) if known else None
    if config is None:
        raise _no_invoke_config(backend, named)
    return 200, {}, json.dumps(config)


def _delete_invoke_config(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    find(backend, named)
    if _invoke_configs(backend, named).pop(_invoke_key(named), None) is None:
        raise _no_invoke_config(backend, named)
    return 204, {"status": 204}, ""


def _no_invoke_config(backend: Any, named: FunctionName) -> Refusal:
    arn = f"{arn_of(backend, named.name)}:{_invoke_key(named)}"
    return Refusal("ResourceNotFoundException", f"The function {arn} doesn't have an EventInvokeConfig", 404)


def _list_invoke_configs(backend: Any, parameters: Parameters) -> Answered:
    named = named_in(backend, parameters)
    find(backend, FunctionName(named.name, None))
    shown = list(_invoke_configs(backend, named).values())
    return 200, {}, json.dumps(page(shown, parameters, "FunctionEventInvokeConfigs", LONGEST_PAGE))


OPERATIONS: dict[str, Operation] = {
    "PutFunctionConcurrency": _put_concurrency,
    "GetFunctionConcurrency": _get_concurrency,
    "DeleteFunctionConcurrency": _delete_concurrency,
    "PutFunctionEventInvokeConfig": _put_invoke_config,
    "UpdateFunctionEventInvokeConfig": _update_invoke_config,
    "GetFunctionEventInvokeConfig": _get_invoke_config,
    "DeleteFunctionEventInvokeConfig": _delete_invoke_config,
    "ListFunctionEventInvokeConfigs": _list_invoke_configs,
}
"""To be answered in moto's place. `lambda_functions` sees to it."""
