"""What the lessons invite a student to change, and what each change must show. Places are those of `editions.fill`."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Change:
    """An invitation: in `cell`, each first text of `edits` becomes the second; run again, the cell prints `shows`.

    Without edits the cell is run again as it stands, `runs` times.
    """

    lesson: str
    cell: str
    what: str
    edits: tuple[tuple[str, str], ...]
    shows: str
    runs: int = 1

    def __str__(self) -> str:
        return f"{self.cell}: {self.what}"


START, LESSON, REPEATS = "00-start-here", "01-upload-to-table", "05-idempotent-consumer"
_DELETE = '    sqs.delete_message(QueueUrl=queue_url, ReceiptHandle=message["ReceiptHandle"])\n'
_CONDITION = '            ConditionExpression="attribute_not_exists(customer)",\n'

CHANGES = [
    Change(START, "m00-run-first", "no quotation marks", (('"3" + "4"', "3 + 4"),), "7\n"),
    Change(START, "m00-run-count", "another name", (('NEXT_CUSTOMER"]', 'NEXT_CUSTOMER", "ana"]'),), "4\n"),
    Change(START, "m00-run-restart", "twice more", (), "2\n3\n", runs=2),
    Change(START, "m00-run-clock", "an hour", (("advance(30)", "advance(3600)"),), "1:00:00\n"),
    Change(
        LESSON,
        "m01-run-event",
        "the second order's key",
        (('{"key": "FIRST_KEY"}', '{"key": "SECOND_KEY"}'),),
        "str\nSECOND_KEY\n['FOLDER', 'NEXT_CUSTOMER', '7.json']\n",
    ),
    Change(LESSON, "m01-twin-event", "run again: one message fewer", (), "['Records']\n"),
    Change(
        LESSON,
        "m01-twin-key",
        "a key with plus signs",
        (("print(unquote_plus(key))", 'print(unquote_plus("pan+y+queso.json"))'),),
        "ObjectCreated:Put\nENCODED_NATIVE\npan y queso.json\n",
    ),
    Change(
        LESSON,
        "m01-twin-records",
        "a body with three orders",
        (('("FIRST_KEY", "SECOND_KEY")', '("FIRST_KEY", "SECOND_KEY", "REPAIRED_KEY")'),),
        "[]\n['FIRST_KEY']\n['FIRST_KEY', 'SECOND_KEY', 'REPAIRED_KEY']\n",
    ),
    Change(
        LESSON,
        "m01-run-put-once",
        "another order number: two items",
        (
            (
                'again = {"customer": {"S": "CUSTOMER"}, "order_id": {"N": "3"}',
                'again = {"customer": {"S": "CUSTOMER"}, "order_id": {"N": "4"}',
            ),
        ),
        "{}\n{}\n2\n",
    ),
    Change(LESSON, "m01-twin-return", "10 seconds: still hidden", (("advance(30)", "advance(10)"),), "0\n[]\n[]\n"),
    Change(
        LESSON,
        "m01-twin-twice",
        "no condition: both writes are accepted",
        ((_CONDITION, ""),),
        "False\nSAVED\nSAVED\n1\n",
    ),
    Change(
        LESSON,
        "m01-run-batch",
        "the repaired body: nothing stays",
        (('"BROKEN"', 'json.dumps({"key": "REPAIRED_KEY"})'),),
        "DONE ['m-1', 'm-2', 'm-3']\nLEFT []\n",
    ),
    Change(
        LESSON,
        "m01-twin-batch",
        "delete before the work: the broken one is lost",
        ((_DELETE, ""), ("    try:\n", f"{_DELETE}    try:\n")),
        "[]\n",
    ),
    Change(
        LESSON,
        "m01-run-who-deletes",
        "the setting off: Lambda deletes all three",
        (("(queue_url, handler)", "(queue_url, handler, report_batch_item_failures=False)"),),
        "3\n0\n",
    ),
    Change(
        REPEATS,
        "m05-run-guard",
        "the message's id in the order: a repeat looks different",
        (('{**job, "total_cents"', '{**job, "message": message_id, "total_cents"'),),
        "processed\ndifferent\ndifferent\n"
        "[{'customer': 'CUSTOMER', 'order_id': 3, 'quantity': 4, 'message': 'm-1', 'total_cents': 1100}]\n",
    ),
    Change(
        REPEATS,
        "m05-twin-guard",
        "no item in the error: a repeat cannot be told",
        (('            ReturnValuesOnConditionCheckFailure="ALL_OLD",\n', ""),),
        "processed\nFAILS\nFAILS\n",
    ),
    Change(
        REPEATS,
        "m05-twin-crash",
        "stopped before the write: the second run does it",
        (("after=", "before="),),
        "1\nprocessed\n0\n1\n",
    ),
    Change(
        REPEATS,
        "m05-twin-email",
        "the e-mail before the write as well: two go out",
        (("        if save_once", '        sent.append(job["order_id"])\n        if save_once'),),
        "1\n[3, 3]\n",
    ),
    Change(
        REPEATS,
        "m05-twin-order",
        "nobody shuffles: the local cloud keeps the order",
        (("cloud.faults.reorder()\n", ""),),
        "[1, 2, 3, 1, 2, 3]\n3 True\n",
    ),
    Change(
        REPEATS,
        "m05-twin-deleted",
        "no fault: one delivery",
        (("cloud.faults.deliver_again()\n", ""),),
        "processed\n1 1\n",
    ),
    Change(
        REPEATS,
        "m05-twin-fifo-s3",
        "the shop's standard queue is accepted",
        (("shop.new_fifo_queue()", "shop.queue_url"),),
        "QUEUE_ACCEPTED\n",
    ),
    Change(
        REPEATS,
        "m05-twin-fifo-again",
        "four minutes: still a repeat",
        (("advance(300)", "advance(240)"),),
        "1\n1\n",
    ),
    Change(
        REPEATS,
        "m05-twin-fifo-runs",
        "nobody stops: one reception",
        (('cloud.faults.stop_worker(after="dynamodb:PutItem")\n', ""),),
        "RECEPTION 1\nprocessed\n0\n",
    ),
    Change(
        REPEATS,
        "m05-twin-lambda",
        "a contradiction: no new result, and the message stays",
        (("[job, job, job, other]", '[{**job, "quantity": 5}]'),),
        "RESULT processed\nRESULT duplicate\nRESULT duplicate\nRESULT processed\n1 2\n",
    ),
]
