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
        "deliver the same message twice. After each delivery, look at the table and at what your function returned or "
        "printed. What was different the second time?",
    ),
    "delete-first": (
        "if the message is deleted first and the work fails afterwards, the order is nowhere any more.",
        "hand your function a `work` that always raises an exception. Does the queue still have that message afterwards, "
        "with the same `MessageId`?",
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
        "in an event the key is encoded as in a web address: a space is a plus sign, and ñ or 注 become % and numbers.",
        "print the `key` of this event and, under it, the key of the file. Who changed it, and at which step?",
    ),
    "test-event": (
        "S3 first sends a test event to make sure that the queue is there. It is JSON, and it announces no object.",
        "print `shop.test_event()` beside the body of an order's event: which field does it lack? Hand a handler "
        "both at once: how many does it look at?",
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
        "a write without a condition is not refused when the key is taken: the old values give way to the new ones.",
        "write two items with the same key and different contents. What does the table show after the second one?",
    ),
    "check-then-write": (
        "between a read and a write somebody else can write. A condition inside the write leaves no gap.",
        "go through `cloud.trace.steps` and print the decision's condition of each write. Which one was made "
        "without any?",
    ),
    "catch-all": (
        "whoever called your function, Lambda too, knows of a failure only through it. An error that stays inside "
        "passes for work that is done.",
        "let what your function does fail, for example with a table that does not exist. Do you learn of the "
        "error? And whoever called it?",
    ),
    "condition-scans": (
        "a condition looks at the one item with this whole key, customer and number together.",
        "save two orders of one customer with different numbers. How many items are there, and how many should "
        "there be?",
    ),
    "status-500": (
        "Lambda looks at how the run ended: with an exception, in time or not. A `statusCode` in the answer "
        "says nothing to it here.",
        "hand one message with `cloud.poll_once` to a handler that returns a `statusCode` of 500. How many "
        "messages does the queue have afterwards?",
    ),
    "timeouts-apart": (
        "a queue's visibility timeout has to be at least as long as the time limit of its function; six times "
        "as long is advised. AWS refuses the mapping otherwise.",
        "give a function a time limit of 60 seconds and connect it to a queue of this course, which hides "
        "messages for 30. What does AWS answer?",
    ),
    "count-errors": (
        "`maxReceiveCount` counts how often a message was received. A receive without any error counts too.",
        "receive a message twice without deleting it, with `cloud.clock.advance(30)` in between, and ask for "
        "`ApproximateReceiveCount`. How many errors were there?",
    ),
    "only-bad-returns": (
        "a run that fails brings its whole batch back. Single messages return only with "
        "`ReportBatchItemFailures` in the mapping and their ids in the answer.",
        "hand a good and a bad message over in one batch, with `cloud.poll_once(…, "
        "report_batch_item_failures=False)`. Which ones come 30 seconds later?",
    ),
    "partial-not-on": (
        "Lambda reads `batchItemFailures` only where the mapping has `ReportBatchItemFailures`. Without it, a "
        "run that ends without an error deletes the whole batch.",
        "hand the same bad message over twice, with `report_batch_item_failures` once on and once off in "
        "`cloud.poll_once`. What does the queue have each time?",
    ),
    "partial-survives": (
        "an exception fails the whole batch. What was noted in a list before never reaches Lambda: there is no answer.",
        "let the second of three messages raise an exception, and print your list right before. Which messages "
        "come 30 seconds later?",
    ),
    "dlq-clock": (
        "when SQS itself moves a message from a standard queue to its DLQ, the retention goes on from the first "
        "sending.",
        "print the `SentTimestamp` of a message in its queue, and again once it is in the DLQ. What became of "
        "the time in between?",
    ),
    "delete-by-id": (
        "a deletion asks for a receipt handle, and each receive gives a new one. With an old one the call "
        "succeeds, and the message may stay.",
        "receive a message twice, with `cloud.clock.advance(30)` in between, and delete it with the first "
        "handle. How many messages does the queue have?",
    ),
    "sole-consumer": (
        "the visibility timeout hides a message, but a standard queue does not guarantee that nobody else gets "
        "it in that time.",
        "plan `cloud.faults.deliver_again()` and receive twice, without deleting and without moving the clock. "
        "Who has the message then?",
    ),
    "empty-is-done": (
        "an empty receive says that nothing came this time. Messages may be hidden or delayed, or on a server "
        "that was not asked.",
        "receive a message without deleting it, receive again at once, and ask the queue for "
        "`ApproximateNumberOfMessagesNotVisible`. What do the two say together?",
    ),
    "exactly-once": (
        "the write and the deletion are two acts. Where a run stops in between, the message comes again.",
        'plan `cloud.faults.stop_worker(after="dynamodb:PutItem")`, poll, move the clock 30 seconds and poll '
        "again. How often did the handler run, and what does the table have?",
    ),
    "order": (
        "a standard queue keeps the order as well as it can, and does not promise it.",
        "send three messages, plan `cloud.faults.reorder()` and receive them together. What of your result "
        "depends on which one comes first?",
    ),
    "deleted-is-gone": (
        "rarely, a message comes again although it was deleted: a server that was away during the deletion "
        "still has its copy.",
        "plan `cloud.faults.deliver_again()`, receive a message, delete it and receive once more. What is in "
        "the table before and after?",
    ),
    "s3-fifo": (
        "S3 notifies standard queues only. Its events reach a FIFO queue by way of EventBridge.",
        "give a bucket's notification the ARN of `shop.new_fifo_queue()`, then that of `shop.queue_url`. What "
        "does S3 answer each time?",
    ),
    "fifo-forever": (
        "a FIFO queue remembers a deduplication id for five minutes. After that, the same id is a new message.",
        "send the same message with the same id, once after `cloud.clock.advance(240)` and once after "
        "`cloud.clock.advance(300)`. How many does the queue have each time?",
    ),
    "fifo-runs-once": (
        "in a FIFO queue too, a message that nobody deleted comes again once the visibility timeout is over.",
        'plan `cloud.faults.stop_worker(after="dynamodb:PutItem")` and poll a FIFO queue, then again after '
        "`cloud.clock.advance(30)`. How often did the handler run?",
    ),
}

SLIPS: dict[str, str] = {
    "no-return": "the function returned nothing. Is a value that is printed the same as one that is returned?",
    "hidden-error": "an `except Exception` also catches the mistakes of your own code. "
    "Print the error inside the `except`: what does it say?",
    "several": "compare how many records the body has with how many keys came back.",
    "one-by-one": "put a broken message between two good ones, or a bad key between two good ones. Print "
    "each one in the line before `work` or `save_once`: how many are printed?",
    "bad-key": "split each key of the test at the slashes and print the parts. Where can you tell that it is no order?",
    "endless": "print what changes from one turn of the loop to the next. What is to end it, and does it come nearer?",
    "too-many-calls": "make the call of this story in a cell of your own and print `cloud.trace`. Which call "
    "repeats itself, and what did it answer the time before?",
    "argument-changed": "print the argument before and after the call of your function. Which line changed it?",
    "another-type": "print `type(…)` of what your function returns. At which line does it become that type?",
    "item-differs": "print the item right before you write it, attribute by attribute. Where does each value "
    "come from?",
    "result-line": "run your handler with one message and read each line that it prints. What is in the table "
    "at the moment in which it prints it?",
    "received-again": "print a line right before each `receive_message`. How many lines does one call of your "
    "function give, and why?",
    "job-unchecked": "print value and `type(…)` of each field of this job, and hold them beside the rules of "
    "the task. Which field breaks them, and which line of yours checks that?",
    "number-type": "DynamoDB refuses a key whose type is not the table's. Print the whole text of the refusal: of "
    "which attribute and which type does it speak?",
    "answer-ids": "print the `messageId` of each record and, under them, what your handler answers. Which ids "
    "are in both?",
    "lists-differ": "print, for each message, its id and what `work` did with it, and compare that with the two "
    "lists. Where do they part?",
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
