"""What the services hold, one small object a resource, as a trace shows it. Looking is no call: it changes nothing.

It reads moto's models, and what the amendments keep beside them. A resource goes by its name, `NAME`; in another region than the
default by `NAME@region`. A bucket's name is one of a kind in all regions, and stands alone.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from bentocola.cloud.account import ACCOUNT, DEFAULT_REGION
from bentocola.cloud.amendments import lambda_mappings, sqs_store

__all__ = [
    "Noticed",
    "Seen",
    "items",
    "journal",
    "messages",
    "mapping",
    "named",
    "queue",
    "resources",
    "seen",
    "self_test",
]

_CODE_DIGITS = 12
_STATES: dict[str, Literal["visible", "delayed", "in_flight", "deleted"]] = {
    "ready": "visible",
    "delayed": "delayed",
    "flight": "in_flight",
    "taken": "in_flight",
    "gone": "deleted",
}


@dataclass(frozen=True)
class Seen:
    """A message as it is at this moment."""

    id: str
    body: str
    state: Literal["visible", "delayed", "in_flight", "deleted"]
    until: int | None
    """When it is visible, if it is hidden now: milliseconds since 1970."""
    redriven_from: str | None
    """The id of the message that a move task made this one of, if one did."""


@dataclass(frozen=True)
class Noticed:
    """What a queue did by itself. See `sqs_store.Entry`."""

    what: Literal["added", "returned", "appeared", "dead", "expired"]
    queue: str
    """Where the message is now, or was last."""
    source: str | None
    """The queue that a dead letter, or a message that a move task made, comes from."""
    message: Seen


def named(name: str, region: str) -> str:
    """Return what a resource is called in a trace."""
    return name if region == DEFAULT_REGION else f"{name}@{region}"


def _of_arn(arn: str) -> str:
    """The resource of an ARN; of a function's version or alias, the function."""
    parts = arn.split(":")
    return named(parts[6] if parts[5] == "function" else parts[5], parts[3])


# Messages


def seen(message: Any) -> Seen:
    """Look at one of moto's messages that is, or was, in a queue."""
    held = message.held
    state = _STATES[held.state]
    until = held.until if state in ("in_flight", "delayed") else None
    return Seen(message.id, message.body, state, until, message.redriven_from[0] if message.redriven_from else None)


def journal() -> list[Noticed]:
    """Return what the queues did by themselves since the last ask."""
    return [
        Noticed(
            entry.what,
            named(entry.queue.name, entry.queue.region),
            _source(entry),
            seen(entry.message),
        )
        for entry in sqs_store.journal()
    ]


def _source(entry: sqs_store.Entry) -> str | None:
    if entry.what == "dead":
        return _of_arn(entry.message.dead_letter_source)
    is_redriven = entry.what == "added" and entry.message.redriven_from
    return _of_arn(entry.message.redriven_from[1]) if is_redriven else None


def messages() -> list[tuple[str, Seen]]:
    """Return all messages in all queues, in the order in which they came to be, each with its queue."""
    found = [
        (held.enqueued, named(queue.name, queue.region), held.message)
        for queue in _queues()
        for held in sqs_store.line(queue).held.values()
    ]
    return [(name, seen(message)) for _, name, message in sorted(found, key=lambda entry: entry[0])]


def queue(name: str, region: str) -> dict[str, int] | None:
    """Return how many messages a queue holds, in which state; None when there is no such queue."""
    from moto.sqs.models import sqs_backends

    backends: Any = sqs_backends
    backend = (backends.get(ACCOUNT) or {}).get(region)
    found = backend.queues.get(name) if backend is not None else None
    return None if found is None else _counts(found)


def _counts(one: Any) -> dict[str, int]:
    visible, in_flight, delayed = sqs_store.counts(one)
    return {"visible": visible, "in_flight": in_flight, "delayed": delayed}


# Resources


def resources(service: str) -> dict[str, dict[str, Any]]:
    """Return all that there is of a service, by the paths of a trace."""
    return dict(_LOOKS[service]())


Looked = Iterator[tuple[str, dict[str, Any]]]


def _buckets() -> Looked:
    from moto.s3.models import s3_backends

    for backend in _backends(s3_backends):
        for name in backend.buckets:
            yield f"bucket/{name}", {}


def _queues() -> list[Any]:
    from moto.sqs.models import sqs_backends

    return [one for backend in _backends(sqs_backends) for one in backend.queues.values()]


def _shown_queues() -> Looked:
    policies = {one.queue_arn: one.redrive_policy for one in _queues() if one.redrive_policy}
    for one in _queues():
        policy = one.redrive_policy
        yield (
            f"queue/{named(one.name, one.region)}",
            {
                **_counts(one),
                "visibility_timeout": int(one.visibility_timeout),
                "dead_letter_queue": _of_arn(policy["deadLetterTargetArn"]) if policy else None,
                "max_receive_count": int(policy["maxReceiveCount"]) if policy else None,
                "sources": [
                    _of_arn(arn) for arn, other in policies.items() if other["deadLetterTargetArn"] == one.queue_arn
                ],
            },
        )


def _functions_and_mappings() -> Looked:
    from moto.awslambda.models import lambda_backends

    for backend in _backends(lambda_backends):
        for name, group in backend._lambdas._functions.items():
            if (latest := group["latest"]) is not None:
                code = base64.b64decode(latest.code_sha_256 or "").hex()[:_CODE_DIGITS]
                shown = {"handler": latest.handler or "", "code": code, "timeout": int(latest.timeout)}
                yield f"function/{named(name, backend.region_name)}", shown
    for one in lambda_mappings.every():
        yield f"mapping/{one.uuid}", mapping(one)


def mapping(one: lambda_mappings.Mapping) -> dict[str, Any]:
    """Return a mapping as a trace shows it."""
    return {
        "queue": _of_arn(one.queue_arn),
        "function": _of_arn(one.function_arn),
        "state": one.state,
        "batch_size": one.batch_size,
        "partial_responses": one.report_batch_item_failures,
        "last_result": one.last_result,
    }


def _tables() -> Looked:
    from moto.dynamodb.models import dynamodb_backends

    for backend in _backends(dynamodb_backends):
        for table in backend.tables.values():
            key = [name for name in (table.hash_key_attr, table.range_key_attr) if name]
            yield f"table/{named(table.name, backend.region_name)}", {"key": key}


def _log_groups() -> Looked:
    from moto.logs.models import logs_backends

    for backend in _backends(logs_backends):
        for name in backend.groups:
            yield f"log_group/{named(name, backend.region_name)}", {}


def items(table: str) -> Iterator[dict[str, Any]]:
    """Yield all items of a table, each as typed JSON."""
    from moto.dynamodb.models import dynamodb_backends

    for backend in _backends(dynamodb_backends):
        for one in backend.tables.values():
            if named(one.name, backend.region_name) == table:
                yield from (item.to_json()["Attributes"] for item in one.all_items())


_LOOKS: dict[str, Callable[[], Looked]] = {
    "s3": _buckets,
    "sqs": _shown_queues,
    "lambda": _functions_and_mappings,
    "dynamodb": _tables,
    "logs": _log_groups,
}


def _backends(backends: Any) -> list[Any]:
    """What moto holds of a service in each region that was used."""
    return list((backends.get(ACCOUNT) or {}).values())


def self_test() -> None:
    """Raise if this moto's models no longer have what is looked at here, and nothing else looks at."""
    from moto.awslambda.models import LambdaBackend
    from moto.dynamodb.models.table import Table
    from moto.logs.models import LogsBackend
    from moto.s3.models import S3Backend

    for backend, attribute in ((S3Backend, "buckets"), (LogsBackend, "groups"), (LambdaBackend, "_lambdas")):
        make: Any = backend
        getattr(make(DEFAULT_REGION, ACCOUNT), attribute)
    if not callable(Table.all_items):
        raise TypeError("Table has no all_items")
