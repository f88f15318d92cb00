"""Step 4 of lab 05: what is gone, and what is still as it was."""

from __future__ import annotations

from collections.abc import Iterator

from bentocola.labs.catalogue import Lab
from bentocola.labs.history import History
from bentocola.labs.idempotent_consumer.commands import delete_command
from bentocola.labs.idempotent_consumer.repeating import look_at_reference
from bentocola.labs.verdict import Missing, Say
from bentocola.messages import listed

__all__ = ["look", "remarks"]


def look(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what is proven. Raises Missing."""
    queue = lab.names["queue"]
    if not any(value and value["queue"] == queue for _, _, value in history.ever("mapping")):
        raise Missing(
            say("There is nothing to clean up yet: no mapping has read {queue} so far. Begin with step 1.", queue=queue)
        )
    _look_for_mappings(history, say)
    yield say("No event source mapping is left.")
    for name in history.held("queue"):
        command = 'aws sqs delete-queue --queue-url "$QUEUE_URL"'
        raise Missing(say("The queue {queue} is still there. Delete it: {command}", queue=name, command=command))
    yield say("No queue is left.")
    _look_for_orders(lab, history, say)
    yield say("{orders} holds no order.", orders=lab.names["orders"])
    group = lab.names["log_group"]
    if group in history.held("log_group"):
        command = f"aws logs delete-log-group --log-group-name {group}"
        raise Missing(say("The log group {group} is still there. Delete it: {command}", group=group, command=command))
    yield say("The log group is gone.")
    look_at_reference(lab, history, say)
    yield say("The reference item is as it was.")


def remarks(lab: Lab, history: History, say: Say) -> Iterator[str]:
    """Yield what is worth knowing of a clean-up that is done."""
    if _queue_went_first(history, lab.names["queue"]):
        yield say(
            "The queue went before its mapping, which asked in vain until it went too. Next time, the mapping first."
        )
    gone = [
        path.partition("/")[2]
        for path in history.given
        if path.startswith(("table/", "function/")) and history.state.get(path) is None
    ]
    if gone:
        yield say(
            "Gone too: {names}. That stood ready when the lab began, and nobody asked you to delete it. "
            "To have it back: {command}",
            names=listed(gone),
            command="bentocola lab reset",
        )


def _look_for_mappings(history: History, say: Say) -> None:
    for uuid, mapping in history.held("mapping").items():
        if mapping["state"] == "Deleting":
            raise Missing(say("The mapping is still {state}. Look again in a moment.", state=mapping["state"]))
        command = f"aws lambda delete-event-source-mapping --uuid {uuid}"
        if mapping["queue"] not in history.held("queue"):
            raise Missing(
                say(
                    "The queue is gone, and the mapping still asks for its messages. Delete the mapping too: {command}",
                    command=command,
                )
            )
        raise Missing(
            say(
                "The mapping from {queue} is still there. It goes first, before the queue: {command}",
                queue=mapping["queue"],
                command=command,
            )
        )


def _look_for_orders(lab: Lab, history: History, say: Say) -> None:
    orders = lab.names["orders"]
    for name in history.held("item"):
        table, _, key = name.partition("/")
        if table == orders:
            raise Missing(
                say(
                    "{orders} still holds {key}. Delete it: {command}",
                    orders=orders,
                    key=key,
                    command=delete_command(orders, key),
                )
            )


def _queue_went_first(history: History, queue: str) -> bool:
    """Whether a mapping still asked for its messages when the queue went."""
    for at, name, now in history.ever("queue"):
        if name == queue and now is None:
            there = history.until(at).held("mapping").values()
            if any(one["queue"] == queue and one["state"] != "Deleting" for one in there):
                return True
    return False
