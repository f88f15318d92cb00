"""The faults of a test in a sentence each, as its stories tell them: whose doing they are stands at the beginning. Pure text."""

from __future__ import annotations

from bentocola.checks.wording import Words
from bentocola.cloud.trace import Step

__all__ = ["fault"]

_SERVICES = {"s3": "S3", "sqs": "SQS", "lambda": "Lambda", "ddb": "DynamoDB"}


def fault(words: Words, step: Step) -> str:
    """Return which fault struck. `step`: one of kind "fault". Raises ValueError for a fault that no test plans."""
    service, _, operation = step.get("api", ":").partition(":")
    service = _SERVICES.get(step["to"], service)
    match step["fault"]:
        case "throttle":
            return words.say(
                "The test's fault: {service} refuses {operation} as called too often.",
                service=service,
                operation=operation,
            )
        case "deny":
            return words.say(
                "The test's fault: {service} refuses {operation}: the permission is missing.",
                service=service,
                operation=operation,
            )
        case "lost_response":
            return words.say(
                "The test's fault: {operation} is done, but the answer of {service} does not arrive.",
                service=service,
                operation=operation,
            )
        case "stop":
            return words.say("The test's fault: your function is stopped at {operation}.", operation=operation)
        case "deliver_again":
            return words.say("The test's fault: SQS will deliver a message once more.")
        case "reorder":
            return words.say("The test's fault: SQS hands the messages out in another order.")
    raise ValueError(f"No test plans the fault {step['fault']!r}.")
