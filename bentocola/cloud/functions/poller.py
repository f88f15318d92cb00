"""One round of what Lambda does for a queue, with a handler that is a plain function of this process.

For lessons and checks that have not deployed anything yet. It reaches the queue as everybody does, through the door; what
Lambda does for functions that are deployed is in `mappings.py`.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from botocore.exceptions import ClientError

from bentocola.cloud.door import Caller, Door, ServiceError, caller
from bentocola.cloud.functions import batches
from bentocola.cloud.recorder import Recorder
from bentocola.errors import WorkerStopped

__all__ = ["Context", "Handler", "Round", "poll_once"]

Handler = Callable[[dict[str, Any], Any], Any]


@dataclass(frozen=True)
class Context:
    """The part of Lambda's context object that has a meaning when a handler runs inline."""

    aws_request_id: str
    function_name: str = "bentocola-inline"
    function_version: str = "$LATEST"
    memory_limit_in_mb: int = 128


@dataclass(frozen=True)
class Round:
    """What one round did: the message ids that Lambda deleted and kept, and what the handler answered or raised."""

    deleted: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    response: Any = None
    error: BaseException | None = None


def poll_once(
    door: Door,
    recorder: Recorder,
    queue_url: str,
    handler: Handler,
    *,
    region: str,
    access_key: str,
    batch_size: int = 10,
    report_batch_item_failures: bool = True,
) -> Round:
    """Receive up to `batch_size` messages, run `handler` on them once, and delete those that count as done.

    Without an error all of them are done; with `report_batch_item_failures`, all but those that the response lists. After an
    exception, or a list that Lambda cannot read, none is: the batch stays hidden until its visibility timeout ends. Raises
    boto3's ClientError when the queue refuses.
    """

    def ask(operation: str, **parameters: Any) -> dict[str, Any]:
        token = caller.set(Caller("lambda"))
        try:
            return door.ask(
                "sqs", operation, {"QueueUrl": queue_url, **parameters}, region=region, access_key=access_key
            )
        except ServiceError as refused:
            error = {"Code": refused.code, "Message": refused.message}
            raise ClientError({"Error": error}, operation) from None
        finally:
            caller.reset(token)

    received = ask(
        "ReceiveMessage", MaxNumberOfMessages=batch_size, AttributeNames=["All"], MessageAttributeNames=["All"]
    ).get("Messages", [])
    if not received:
        return Round()
    arn = batches.queue_arn(queue_url, region)
    event = {"Records": [batches.record(message, arn) for message in received]}
    ids = [message["MessageId"] for message in received]
    response, error = None, None
    with recorder.run(json.dumps(event, ensure_ascii=False), message_ids=ids) as run:
        try:
            # Lambda hands the answer on as JSON, and reads it as such; one that is none fails the run.
            response = json.loads(json.dumps(handler(event, Context(aws_request_id=run["id"]))))
            run["result"] = "ok"
            run["answer"] = json.dumps(response, ensure_ascii=False)
        except (
            Exception,
            SystemExit,
            WorkerStopped,
        ) as raised:  # the handler is the student's: whatever it raises fails the run
            error = raised
            run["result"] = "died" if isinstance(raised, WorkerStopped) else "error"
            run["log"].append(f"{type(raised).__name__}: {raised}")
    kept = set(ids) if error is not None else batches.failed(response, ids) if report_batch_item_failures else set()
    done = [message for message in received if message["MessageId"] not in kept]
    if done:
        entries = [{"Id": str(n), "ReceiptHandle": message["ReceiptHandle"]} for n, message in enumerate(done)]
        ask("DeleteMessageBatch", Entries=entries)
    return Round([m["MessageId"] for m in done], [i for i in ids if i in kept], response, error)
