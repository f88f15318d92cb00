"""Event source mappings of queues as Lambda documents them: what is refused, their states, and no firing inside SendMessage.

AWS: https://docs.aws.amazon.com/lambda/latest/api/API_CreateEventSourceMapping.html and its neighbours,
https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-parameters.html,
https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-configure.html,
https://docs.aws.amazon.com/lambda/latest/dg/services-sqs-scaling.html and
https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html

moto 5.2.5 (`moto/awslambda/models.py`, `moto/sqs/models.py`): runs the function inside SendMessage, a mapping that was deleted
too; makes mappings that are enabled, or gone, at once; takes a second mapping of the same queue and function, any batch size
with any window, filters that are no patterns, a function that may run longer than its messages are hidden, and a role that may
not read the queue; and answers an unknown UUID with an empty 404.

Here mappings are data. Taking messages and running functions is the poller's, which reads `mappings()`.

Left as it is: mappings of streams and all other sources. Where the documentation gives a limit and no words (more than five
filters), the words are ours, under the documented code.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from bentocola.cloud.amendments import lambda_functions
from bentocola.cloud.amendments.lambda_requests import (
    ACCOUNT,
    Answered,
    Operation,
    Parameters,
    Refusal,
    answer_with,
    invalid,
    page,
    read_name,
    when_imported,
)
from bentocola.cloud.functions import filters

__all__ = [
    "TRANSITION_SECONDS",
    "Mapping",
    "allowed",
    "call_later",
    "every",
    "install",
    "mapping",
    "mappings",
    "self_test",
    "set_result",
    "went_on",
]

TRANSITION_SECONDS = 0.002
"""What a change of state takes, handed to `call_later`. AWS takes seconds, and says only "several"."""

_OTHER_SOURCES = ("dynamodb", "kafka", "kinesis", "mq", "rds")
"""What can be a source besides a queue; these are as moto has them."""
FILTERS_MAXIMUM = 5
"""The quota that an account has by default."""

_LONGEST_PAGE = 100
_BATCH_DEFAULT = 10
_BATCH_WITHOUT_WINDOW = 10
_BATCH_OF_FIFO = 10
_ACTIONS = ("ReceiveMessage", "DeleteMessage", "GetQueueAttributes")
_STREAMS_ONLY = (
    "BisectBatchOnFunctionError",
    "DestinationConfig",
    "MaximumRecordAgeInSeconds",
    "MaximumRetryAttempts",
    "ParallelizationFactor",
    "TumblingWindowInSeconds",
)


# What the cloud sets


def _at_the_next_look(seconds: float, action: Callable[[], None]) -> None:
    _due.append(action)


_due: list[Callable[[], None]] = []

call_later: Callable[[float, Callable[[], None]], object] = _at_the_next_look
"""Calls the action after so many seconds of the course's clock. Without a clock: when somebody next looks or calls."""


def _everything(role_arn: str, action: str, resource: str) -> bool:
    return True


allowed: Callable[[str, str, str], bool] = _everything
"""Whether a role's policies allow an action (`sqs:ReceiveMessage`) on a resource's ARN. By default they allow all."""


def _nobody(uuid: str) -> None:
    """Nobody is told."""


went_on: Callable[[str], None] = _nobody
"""Is told of a mapping that came into another state by itself, is gone at last, or has processed something."""


# What the cloud looks at


@dataclass(frozen=True)
class Mapping:
    """An event source mapping of a queue."""

    uuid: str
    queue_arn: str
    function_arn: str
    """With the version or alias that the mapping names, if it does."""
    region: str
    state: str
    """Creating, Enabled, Disabled, Updating, Enabling, Disabling or Deleting."""
    batch_size: int
    window_seconds: int
    report_batch_item_failures: bool
    filters: tuple[filters.Pattern, ...]
    """A record that matches none of them is deleted unseen; with none, every record is wanted."""
    maximum_concurrency: int | None
    last_result: str | None
    """None before anything was processed."""


def every() -> list[Mapping]:
    """Return the mappings of queues in all regions, oldest first."""
    _settle()
    return [_look(one) for backend in _backends() for one in _of_queues(backend)]


def mappings() -> list[Mapping]:
    """Return the mappings of queues in all regions, oldest first, those that are being deleted left out."""
    return [one for one in every() if one.state != "Deleting"]


def mapping(uuid: str) -> Mapping | None:
    """Return a queue's mapping, one that is being deleted too, or None when there is none."""
    _settle()
    found = _stored(uuid)
    return None if found is None else _look(found)


def set_result(uuid: str, text: str) -> None:
    """Set LastProcessingResult, "the result of the event source mapping's last processing attempt"."""
    found = _stored(uuid)
    if found and found.last_result != text:
        found.last_result = text
        went_on(uuid)


def _look(one: Any) -> Mapping:
    return Mapping(
        uuid=one.uuid,
        queue_arn=one.event_source_arn,
        function_arn=one.function_arn,
        region=one.region,
        state=one.state,
        batch_size=one.batch_size,
        window_seconds=one.max_batch_window,
        report_batch_item_failures="ReportBatchItemFailures" in one.function_response_types,
        filters=one.patterns,
        maximum_concurrency=(one.scaling_config or {}).get("MaximumConcurrency"),
        last_result=one.last_result,
    )


def _backends() -> list[Any]:
    models = sys.modules.get("moto.awslambda.models")
    # Who never spoke to Lambda has no mapping, and need not import it to know.
    return [] if models is None else list(models.lambda_backends[ACCOUNT].values())


def _of_queues(backend: Any) -> list[Any]:
    return [one for one in backend._event_source_mappings.values() if _is_queue(one.event_source_arn)]


def _stored(uuid: str) -> Any:
    found = (backend._event_source_mappings.get(uuid) for backend in _backends())
    return next((one for one in found if one is not None and _is_queue(one.event_source_arn)), None)


def _is_queue(arn: str) -> bool:
    return arn.split(":")[2:3] == ["sqs"]


# States


def _settle() -> None:
    """Do what was due at the next look."""
    while _due:
        _due.pop(0)()


def _change(backend: Any, one: Any, passing: str, then: Callable[[], None]) -> None:
    """Go into a passing state, and `then` do what follows, unless something else came in between."""
    from moto.core.utils import unix_time

    one.state, one.last_modified = passing, unix_time()

    def arrive() -> None:
        if one.state == passing and backend._event_source_mappings.get(one.uuid) is one:
            one.last_modified = unix_time()
            then()
            went_on(one.uuid)

    call_later(TRANSITION_SECONDS, arrive)


def _rest(one: Any) -> Callable[[], None]:
    def rest() -> None:
        one.state = "Enabled" if one.enabled else "Disabled"

    return rest


def _at_rest(backend: Any, parameters: Parameters, verb: str) -> Any:
    """The mapping that an operation changes. "The operation conflicts with the resource's availability" while it changes."""
    one = backend._event_source_mappings.get(parameters["UUID"])
    if one is None:
        raise Refusal("ResourceNotFoundException", "The resource you requested does not exist.", 404)
    if _is_queue(one.event_source_arn) and one.state not in ("Enabled", "Disabled"):
        raise Refusal("ResourceInUseException", f"Cannot {verb} the event source mapping because it is in use.")
    return one


# The operations


def _create(backend: Any, parameters: Parameters) -> Answered:
    arn = parameters.get("EventSourceArn") or ""
    if not arn:
        raise invalid("Unrecognized event source.")
    if not _is_queue(arn):
        if not any(f":{service}:" in arn for service in _OTHER_SOURCES):
            raise invalid("Unrecognized event source.")
        return (
            201,
            {"status": 201},
            json.dumps(backend.create_event_source_mapping(dict(parameters)).get_configuration()),
        )
    _check(parameters, arn, parameters)
    function_arn, function = _function(backend, parameters["FunctionName"])
    _check_queue(backend, arn, function)
    for other in _of_queues(backend):
        if (other.event_source_arn, other.function_arn) == (arn, function_arn):
            raise _exists(other, function.function_name)
    one = _made(backend, parameters, arn, function_arn)
    backend._event_source_mappings[one.uuid] = one
    _change(backend, one, "Creating", _rest(one))
    return 202, {"status": 202}, json.dumps(one.get_configuration())


def _made(backend: Any, parameters: Parameters, arn: str, function_arn: str) -> Any:
    from moto.awslambda.models import EventSourceMapping

    spec = {
        **parameters,
        "RegionName": backend.region_name,
        "AccountId": backend.account_id,
        "FunctionArn": function_arn,
        "BatchSize": parameters.get("BatchSize", _BATCH_DEFAULT),
        "MaximumBatchingWindowInSeconds": parameters.get("MaximumBatchingWindowInSeconds", 0),
        "FunctionResponseTypes": parameters.get("FunctionResponseTypes", []),
        "FilterCriteria": _criteria(parameters),
        "ScalingConfig": parameters.get("ScalingConfig") or None,
    }
    kind: Any = EventSourceMapping
    one = kind(spec)
    one.patterns = _patterns(parameters)
    return one


def _update(backend: Any, parameters: Parameters) -> Answered:
    one = _at_rest(backend, parameters, "update")
    if not _is_queue(one.event_source_arn):
        changed = backend.update_event_source_mapping(parameters["UUID"], parameters)
        return 202, {"status": 202}, json.dumps(changed.get_configuration())
    now = {"BatchSize": one.batch_size, "MaximumBatchingWindowInSeconds": one.max_batch_window}
    _check({**now, **parameters}, one.event_source_arn, parameters)
    function_arn, function = _function(backend, parameters.get("FunctionName") or one.function_arn)
    _check_queue(backend, one.event_source_arn, function)
    for other in _of_queues(backend):
        if other is not one and (other.event_source_arn, other.function_arn) == (one.event_source_arn, function_arn):
            raise _exists(other, function.function_name)
    one.function_arn = function_arn
    one.batch_size = parameters.get("BatchSize", one.batch_size)
    one.max_batch_window = parameters.get("MaximumBatchingWindowInSeconds", one.max_batch_window)
    one.function_response_types = parameters.get("FunctionResponseTypes", one.function_response_types)
    if "FilterCriteria" in parameters:  # "to remove", an empty one
        one.filter_criteria, one.patterns = _criteria(parameters), _patterns(parameters)
    if "ScalingConfig" in parameters:  # "To remove the configuration, pass an empty value."
        one.scaling_config = parameters["ScalingConfig"] or None
    for name, attribute in (("MetricsConfig", "metrics"), ("ProvisionedPollerConfig", "poller_config")):
        if name in parameters:
            setattr(one, attribute, parameters[name] or None)
    was, one.enabled = one.enabled, parameters.get("Enabled", one.enabled)
    passing = "Updating" if was == one.enabled else "Enabling" if one.enabled else "Disabling"
    _change(backend, one, passing, _rest(one))
    return 202, {"status": 202}, json.dumps(one.get_configuration())


def _get(backend: Any, parameters: Parameters) -> Answered:
    one = backend._event_source_mappings.get(parameters["UUID"])
    if one is None:
        raise Refusal("ResourceNotFoundException", "The resource you requested does not exist.", 404)
    return 200, {}, json.dumps(one.get_configuration())


def _list(backend: Any, parameters: Parameters) -> Answered:
    shown = list(backend._event_source_mappings.values())
    if source := parameters.get("EventSourceArn"):
        shown = [one for one in shown if one.event_source_arn == source]
    if given := parameters.get("FunctionName"):
        arn = _function_arn(backend, given)
        shown = [one for one in shown if one.function_arn == arn]
    found = [one.get_configuration() for one in shown]
    return 200, {}, json.dumps(page(found, parameters, "EventSourceMappings", _LONGEST_PAGE))


def _delete(backend: Any, parameters: Parameters) -> Answered:
    one = _at_rest(backend, parameters, "delete")
    if not _is_queue(one.event_source_arn):
        config = {**backend.delete_event_source_mapping(one.uuid).get_configuration(), "State": "Deleting"}
        return 202, {"status": 202}, json.dumps(config)
    _change(backend, one, "Deleting", lambda: backend._event_source_mappings.pop(one.uuid, None))
    return 202, {"status": 202}, json.dumps(one.get_configuration())


def _exists(other: Any, function_name: str) -> Refusal:
    return Refusal(
        "ResourceConflictException",
        f'An event source mapping with SQS arn (" {other.event_source_arn} ") and function (" {function_name} ") already '
        f"exists. Please update or delete the existing mapping with UUID {other.uuid}",
        409,
    )


# What a mapping may be


def _check(settings: Parameters, queue_arn: str, given: Parameters) -> None:
    """Check what a mapping would have, and what the request gives that no queue's mapping has."""
    if given.get("StartingPosition") or given.get("StartingPositionTimestamp") is not None:
        raise invalid("StartingPosition is not valid for SQS event sources.")
    for name in _STREAMS_ONLY:
        if given.get(name):
            raise invalid(f"Unsupported {name} parameter for given event source mapping type.")
    size, window = settings.get("BatchSize", _BATCH_DEFAULT), settings.get("MaximumBatchingWindowInSeconds", 0)
    if queue_arn.endswith(".fifo"):
        if window:
            raise invalid("Batching window is not supported for FIFO queues")
        if size > _BATCH_OF_FIFO:
            raise invalid(f"Maximum batch size must be between 1 and {_BATCH_OF_FIFO} inclusive")
    if size > _BATCH_WITHOUT_WINDOW and not window:
        raise invalid(
            "Maximum batch window in seconds must be greater than 0 if maximum batch size is greater than "
            f"{_BATCH_WITHOUT_WINDOW}"
        )
    _patterns(given)


def _criteria(parameters: Parameters) -> dict[str, Any] | None:
    criteria = parameters.get("FilterCriteria") or {}
    return dict(criteria) if criteria.get("Filters") else None


def _patterns(parameters: Parameters) -> tuple[filters.Pattern, ...]:
    """The patterns of a request's filters. Raises Refusal when one is none, or when there are too many."""
    given = (parameters.get("FilterCriteria") or {}).get("Filters") or []
    if len(given) > FILTERS_MAXIMUM:
        raise invalid(f"FilterCriteria has {len(given)} filters. An event source mapping may have {FILTERS_MAXIMUM}.")
    try:
        return tuple(filters.validate((one or {}).get("Pattern") or "") for one in given)
    except filters.InvalidPatternError as error:
        raise invalid(str(error)) from error


def _function_arn(backend: Any, given: str) -> str:
    named = read_name(given, backend.region_name, backend.account_id)
    arn = f"arn:{backend.partition}:lambda:{backend.region_name}:{backend.account_id}:function:{named.name}"
    return f"{arn}:{named.qualifier}" if named.qualifier else arn


def _function(backend: Any, given: str) -> tuple[str, Any]:
    """Return the ARN under which a mapping invokes a function, and moto's function."""
    arn = _function_arn(backend, given)
    try:
        return arn, lambda_functions.find(backend, read_name(given, backend.region_name, backend.account_id))
    except Refusal:
        raise invalid("Function does not exist") from None


def _check_queue(backend: Any, arn: str, function: Any) -> None:
    """The queue must be there, be readable for the function's role, and hide messages for as long as the function may run."""
    from moto.sqs.models import sqs_backends

    for action in _ACTIONS:
        if not allowed(function.role, f"sqs:{action}", arn):
            raise invalid(f"The provided execution role does not have permissions to call {action} on SQS")
    queues: list[Any] = list(sqs_backends[backend.account_id][backend.region_name].queues.values())
    queue = next((one for one in queues if one.queue_arn == arn), None)
    if queue is None:
        raise invalid(
            "Error occurred while ReceiveMessage. SQS Error Code: AWS.SimpleQueueService.NonExistentQueue. "
            "SQS Error Message: The specified queue does not exist."
        )
    if int(queue.visibility_timeout) < int(function.timeout):
        raise invalid(
            f"Queue visibility timeout: {int(queue.visibility_timeout)} seconds is less than "
            f"Function timeout: {int(function.timeout)} seconds"
        )


# In moto's place


def _configuration(one: Any) -> dict[str, Any]:
    """A queue's mapping as AWS shows it; moto's own view of any other."""
    config: dict[str, Any] = _of_moto["get_configuration"](one)
    if not _is_queue(one.event_source_arn):
        return config
    config.pop("Tags", None)
    config |= {"State": one.state, "StateTransitionReason": "USER_INITIATED"}
    if one.last_result is not None:
        config["LastProcessingResult"] = one.last_result
    return config


_OPERATIONS: dict[str, Operation] = {
    "CreateEventSourceMapping": _create,
    "UpdateEventSourceMapping": _update,
    "GetEventSourceMapping": _get,
    "ListEventSourceMappings": _list,
    "DeleteEventSourceMapping": _delete,
}
_ADDRESS = "{0}/(?P<api_version>[^/]+)/event-source-mappings/(?P<UUID>[^/]+)/?$"
_of_moto: dict[str, Callable[..., Any]] = {}


def _settled(answer: Operation) -> Operation:
    def settled(backend: Any, parameters: Parameters) -> Answered:
        _settle()
        return answer(backend, parameters)

    return settled


def _amend(responses: ModuleType) -> None:
    from moto.awslambda import models

    for operation, answer in _OPERATIONS.items():
        answer_with(responses.LambdaResponse, operation, _settled(answer))
    model: Any = models.EventSourceMapping
    if model.get_configuration is not _configuration:
        _of_moto["get_configuration"] = model.get_configuration
        model.get_configuration = _configuration
    model.state, model.last_result, model.patterns = "Enabled", None, ()


def _amend_addresses(urls: ModuleType) -> None:
    urls.url_paths.setdefault(_ADDRESS, urls.LambdaResponse.dispatch)


def install() -> None:
    """Answer for event source mappings in moto's place."""
    when_imported("moto.awslambda.responses", _amend)
    when_imported("moto.awslambda.urls", _amend_addresses)


def self_test() -> None:
    """Raise if this moto no longer has what is replaced here, or what is read of its mappings and queues."""
    from moto.awslambda import models, responses
    from moto.sqs.models import Queue

    for name in ("create", "update", "get", "delete"):
        if not hasattr(responses.LambdaResponse, f"{name}_event_source_mapping"):
            raise TypeError(f"LambdaResponse has no {name}_event_source_mapping")
    backend = models.LambdaBackend("us-east-1", ACCOUNT)
    if not isinstance(backend._event_source_mappings, dict):
        raise TypeError("LambdaBackend has no dict of event source mappings")
    arn = f"arn:aws:sqs:us-east-1:{ACCOUNT}:q"
    spec = {
        "RegionName": "us-east-1",
        "AccountId": ACCOUNT,
        "FunctionName": "f",
        "EventSourceArn": arn,
        "FunctionArn": "f",
    }
    kind: Any = models.EventSourceMapping
    one = kind(spec)
    for name in ("uuid", "enabled", "batch_size", "max_batch_window", "function_response_types", "filter_criteria"):
        getattr(one, name)
    for name in ("scaling_config", "metrics", "poller_config", "last_modified"):
        getattr(one, name)
    # A queue of moto's fires the mappings that it is told of, and nobody tells it of one.
    if "lambda_event_source_mappings" not in Queue.__init__.__code__.co_names:
        raise TypeError("Queue has no lambda_event_source_mappings")
