"""What people believe that is not so: for each id, how it works and what to try next, as catalogue messages. Never the answer.

The ids of `MISCONCEPTIONS` are those of the course. `SLIPS` are no beliefs, but things that happen to everybody: they have
only something to try.
"""

from __future__ import annotations

from botocore.exceptions import ClientError, ParamValidationError

__all__ = ["MISCONCEPTIONS", "SLIPS", "behind"]

MISCONCEPTIONS: dict[str, tuple[str, str]] = {
    "once": (
        "a standard queue delivers each message at least once, so the same one may come again.",
        "deliver the same message twice and look at the table after each delivery. What was there just before the second write?",
    ),
    "delete-first": (
        "if the message is deleted and the work fails afterwards, nobody has the order any more.",
        "let the work fail on the first message and count what the queue still has. Where did that order go?",
    ),
    "event-once": (
        "S3 announces an object at least once, usually within seconds, sometimes a minute or more later.",
        "send the same event twice. What differs between the two messages, and what is equal?",
    ),
    "message-id-key": (
        "each send gets a new message id, even for the same order. The id names the message, not the order.",
        "send the same order twice and print both message ids. What do the two bodies have in common?",
    ),
    "key-as-is": (
        "in an event the object's key is URL-encoded: a space is a plus sign, and ñ or 注 become % and numbers.",
        "print the key of an event for a name with an accent, beside the key that you uploaded. Which step made the difference?",
    ),
    "test-event": (
        "S3 first sends a test event to make sure that the queue is there. It is JSON, and it announces no object.",
        "print `shop.test_event()` beside the body of an order's event. Which field does the first one lack?",
    ),
    "refused-is-crash": (
        "a refused conditional write says that an item with this key is stored. It is an answer, not a breakdown.",
        "write the same item twice and print what the second write raises. What does the table hold then?",
    ),
    "receive-removes": (
        "receiving hides a message for a while. It stays in the queue until it is deleted or its retention ends.",
        "receive a message, move the clock 30 seconds forward and receive again. What came?",
    ),
    "number-is-number": (
        'in DynamoDB\'s typed JSON numbers travel as text: {"N": "3"}.',
        "print the type of the value inside N of a stored item. What does boto3 say when it gets a number there?",
    ),
    "handler-deletes": (
        "with Lambda it is Lambda that deletes, after the handler has answered. The answer names the messages to keep.",
        "print what the handler returns for a batch with one bad message. Which ids does it name?",
    ),
    "put-inserts": (
        "PutItem writes the whole item, and what was stored under that key is gone.",
        "write two items with the same key and a different status. What does the table show after the second one?",
    ),
    "check-then-write": (
        "between a read and a write somebody else can write. A condition inside the write leaves no gap.",
        "go through `cloud.trace.steps` and print the decision's condition of each write. Which one was made without any?",
    ),
    "catch-all": (
        "a refused condition is one error among many. After another one the order may not be saved, and somebody has to know.",
        "write to a table that does not exist. What should whoever called you learn of it?",
    ),
    "condition-scans": (
        "a condition looks at the one item with this whole key, customer and number together.",
        "save two orders of one customer with different numbers. How many items are there, and how many should there be?",
    ),
}

SLIPS: dict[str, str] = {
    "no-return": "the function returned nothing. Is a value that is printed the same as one that is returned?",
    "hidden-error": "an `except Exception` also catches the mistakes of your own code. "
    "Print the error inside the `except`: what does it say?",
    "several": "compare how many records the body has with how many keys came back.",
    "one-by-one": "call your function with one message alone, first a good one and then a bad one. "
    "What happens to the rest of the loop when one fails?",
    "bad-key": "split each key of the test at the slashes and print the parts. Where can you tell that it is no order?",
}


def behind(error: Exception) -> str | None:
    """Return what an exception of the student's code points to, where it points to one thing only."""
    if isinstance(error, KeyError) and error.args == ("Records",):
        return "test-event"
    if isinstance(error, ParamValidationError) and ".N, value" in str(error):
        return "number-is-number"
    if isinstance(error, ClientError) and error.response["Error"]["Code"] == "ConditionalCheckFailedException":
        return "refused-is-crash"
    return None
