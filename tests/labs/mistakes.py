"""What can go wrong in lab 05, each as what a student does until then, the check that they ask, and what mends it."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from tests.labs.student import DEDUP, OTHER, SOLUTION, Student, packed

__all__ = ["CATCH", "EVERYTHING_ACKNOWLEDGED", "MISTAKES", "Mistake"]

WRITE = '                ConditionExpression="attribute_not_exists(id)",\n'
ALL_OLD = '                ReturnValuesOnConditionCheckFailure="ALL_OLD",\n'
UNCONDITIONAL = ((WRITE, ""), (ALL_OLD, ""))
RESULT = '        print("RESULT", json.dumps({"id": key, "processed": not duplicate, "duplicate": duplicate}))\n'
CATCH = "except dynamodb.exceptions.ConditionalCheckFailedException as error:"


class Mistake(NamedTuple):
    """`check`: the step, 0 for the clean-up. `mend`: what to do after reading the sentence, so that it holds."""

    check: int
    make: Callable[[Student], object]
    mend: Callable[[Student], object]


def _all(*parts: Callable[[Student], object]) -> Callable[[Student], None]:
    def do(student: Student) -> None:
        for part in parts:
            part(student)

    return do


def _set_timeout(student: Student) -> None:
    student.sqs.set_queue_attributes(QueueUrl=student.url, Attributes={"VisibilityTimeout": "30"})


def _update_mapping(**changes: object) -> Callable[[Student], None]:
    def do(student: Student) -> None:
        student.awslambda.update_event_source_mapping(UUID=student.mapping, **changes)
        student.settle()

    return do


def _another_mapping(student: Student) -> None:
    assert student.fails(student.map) == "ResourceConflictException"


def _wrong_arn(student: Student) -> None:
    student.fails(student.map, queue="lab05-job")


def _short_queue(student: Student) -> None:
    student.make_queue(seconds=5)


def _map_refused(student: Student) -> None:
    assert student.fails(student.map) == "InvalidParameterValueException"


def _map_to_another_function(student: Student) -> None:
    role = f"arn:aws:iam::123456789012:role/{student.names['role']}"
    student.awslambda.create_function(
        FunctionName="mine",
        Role=role,
        Handler="app.handler",
        Runtime="python3.13",
        Timeout=10,
        Code={"ZipFile": packed()},
    )
    student.map(function="mine")


def _send_to_wrong_url(student: Student) -> None:
    wrong = student.url.replace("lab05-jobs", "lab05-job")
    assert student.fails(student.send, DEDUP, url=wrong).endswith(("NonExistentQueue", "QueueDoesNotExist"))


def _send_to_other_queue(student: Student) -> None:
    url = student.sqs.create_queue(QueueName="mine")["QueueUrl"]
    student.send(DEDUP, url=url)


def _upload_no_zip(student: Student) -> None:
    student.fails(student.upload, content=b"no zip")


def _with(*changes: tuple[str, str]) -> Callable[[Student], None]:
    """Upload the solution with a mistake in it, and send the first job."""

    def do(student: Student) -> None:
        student.connect()
        student.upload_with(*changes)
        student.send(DEDUP)

    return do


def _repeats_with(*changes: tuple[str, str]) -> Callable[[Student], None]:
    """The same, with the first job twice more."""

    def do(student: Student) -> None:
        _with(*changes)(student)
        student.send(DEDUP)
        student.send(DEDUP)

    return do


def _send(job: object) -> Callable[[Student], None]:
    return lambda student: student.send(job)


def _wait(student: Student) -> None:
    student.settle(31)


def _delete(*keys: str) -> Callable[[Student], None]:
    def do(student: Student) -> None:
        for key in keys:
            student.delete_order(key)

    return do


EVERYTHING_ACKNOWLEDGED = SOLUTION.replace(CATCH, "except Exception as error:").replace(
    '            if error.response["Item"] != item:\n                raise\n', ""
)


def _acknowledging_anything(student: Student) -> None:
    student.connect()
    student.upload(EVERYTHING_ACKNOWLEDGED)
    student.send(DEDUP)
    student.send({**DEDUP, "quantity": 5})


_mended = _all(Student.upload, _delete("dedup-order"), _send(DEDUP))
"""What most sentences ask for."""
_mended_and_repeated = _all(Student.upload, _delete("dedup-order"), _send(DEDUP), Student.repeat)
_two_steps = _all(Student.connect, Student.guard)
_three_steps = _all(Student.connect, Student.guard, Student.repeat)


def _throttled(student: Student) -> None:
    student.connect()
    student.upload_with(
        (CATCH, "except Exception:"), ('            if error.response["Item"] != item:\n                raise\n', "")
    )
    student.room.cloud.faults.throttle("dynamodb:PutItem", times=9)
    student.send(DEDUP)


def _keep_disabled(student: Student) -> None:
    student.connect()
    student.upload()
    _update_mapping(Enabled=False)(student)
    student.send(DEDUP)


def _start_deleting(student: Student) -> None:
    student.awslambda.delete_event_source_mapping(UUID=student.mapping)


def _restore_reference(student: Student) -> None:
    student.put("reference", id="reference", note="keep unchanged")


def _purge(student: Student) -> None:
    student.sqs.purge_queue(QueueUrl=student.url)


MISTAKES = {
    # Step 1
    "no queue": Mistake(1, lambda student: None, Student.connect),
    "another queue": Mistake(1, lambda student: student.make_queue("lab5-jobs"), Student.connect),
    "visibility timeout 45": Mistake(
        1, _all(lambda student: student.make_queue(seconds=45), Student.map), _set_timeout
    ),
    "visibility timeout below the function's": Mistake(
        1, _all(_short_queue, _map_refused), _all(_set_timeout, Student.map)
    ),
    "mapping not made again": Mistake(1, _all(_short_queue, _map_refused, _set_timeout), Student.map),
    "no mapping": Mistake(1, Student.make_queue, Student.map),
    "mapping of a wrong ARN": Mistake(1, _all(Student.make_queue, _wrong_arn), Student.map),
    "batch size 10": Mistake(
        1, _all(Student.make_queue, lambda student: student.map(batch_size=10)), _update_mapping(BatchSize=1)
    ),
    "mapping made twice to change it": Mistake(
        1,
        _all(Student.make_queue, lambda student: student.map(batch_size=10), _another_mapping),
        _update_mapping(BatchSize=1),
    ),
    "mapping disabled": Mistake(
        1, _all(Student.make_queue, lambda student: student.map(Enabled=False)), _update_mapping(Enabled=True)
    ),
    "mapping to another function": Mistake(1, _all(Student.make_queue, _map_to_another_function), Student.map),
    # Step 2
    "starter's code": Mistake(2, _all(Student.connect, _send(DEDUP)), _mended),
    "upload of what is no zip": Mistake(2, _all(Student.connect, _upload_no_zip), Student.guard),
    "nothing sent": Mistake(2, _all(Student.connect, Student.upload), _send(DEDUP)),
    "wrong queue URL": Mistake(2, _all(Student.connect, Student.upload, _send_to_wrong_url), _send(DEDUP)),
    "sent to another queue": Mistake(2, _all(Student.connect, Student.upload, _send_to_other_queue), _send(DEDUP)),
    "no app.py at the root": Mistake(
        2,
        _all(Student.connect, lambda student: student.upload(name="lab/app.py"), _send(DEDUP)),
        _all(Student.upload, _wait),
    ),
    "no handler": Mistake(2, _with(("def handler(", "def lambda_handler(")), _all(Student.upload, _wait)),
    "syntax error": Mistake(
        2, _with(("def handler(event, context):", "def handler(event, context)")), _all(Student.upload, _wait)
    ),
    "wrong field": Mistake(
        2, _with(('json.loads(record["body"])', 'json.loads(record["Body"])')), _all(Student.upload, _wait)
    ),
    "no condition": Mistake(2, _with(*UNCONDITIONAL), _mended),
    "message id as key": Mistake(
        2,
        _with(("        item = wanted(job)\n", '        item = wanted({**job, "id": record["messageId"]})\n')),
        _mended,
    ),
    "wrong key": Mistake(2, _with(('{"S": job["id"]}, "q', '{"S": "order-" + job["id"]}, "q')), _mended),
    "wrong total": Mistake(2, _with(("250 * quantity + 100", "(250 + 100) * quantity")), _mended),
    "total as text": Mistake(2, _with(('{"N": str(total)}', '{"S": str(total)}')), _mended),
    "quantity as text": Mistake(2, _with(('{"N": str(quantity)}', '{"S": str(quantity)}')), _mended),
    "another field": Mistake(2, _with((', "total_cents": {"N": str(total)}', ', "total": {"N": str(total)}')), _mended),
    "two writes": Mistake(
        2,
        _with(
            (
                "        duplicate = False\n",
                "        duplicate = False\n        dynamodb.put_item(TableName=TABLE, Item={**item, 'id': {'S': key}})\n",
            )
        ),
        _mended,
    ),
    "no RESULT line": Mistake(2, _with((RESULT, "")), _mended),
    "RESULT is no JSON": Mistake(2, _with(("json.dumps({", "str({")), _mended),
    "RESULT says duplicate": Mistake(2, _with(('"processed": not duplicate', '"processed": duplicate')), _mended),
    "no write": Mistake(2, _with(("            dynamodb.put_item(", "            dict(")), _mended),
    "prints a secret": Mistake(
        2,
        _with(("        duplicate = False\n", "        duplicate = False\n        print(dict(os.environ))\n")),
        _mended,
    ),
    "reads before it writes": Mistake(
        2,
        _with(
            (
                "        duplicate = False\n",
                "        duplicate = False\n        dynamodb.get_item(TableName=TABLE, Key={'id': item['id']})\n",
            )
        ),
        _all(Student.upload, _wait),
    ),
    "invoked by hand": Mistake(
        2,
        _all(Student.connect, Student.upload, lambda student: student.invoke(DEDUP)),
        _all(_delete("dedup-order"), _send(DEDUP)),
    ),
    "quantity 5": Mistake(
        2,
        _all(Student.connect, Student.upload, _send({**DEDUP, "quantity": 5})),
        _all(_delete("dedup-order"), _send(DEDUP)),
    ),
    "body is no JSON": Mistake(
        2, _all(Student.connect, Student.upload, _send("{id: dedup-order, quantity: 4}")), _send(DEDUP)
    ),
    "catches a throttled write": Mistake(
        2, _throttled, _all(lambda student: student.room.cloud.faults.clear(), Student.upload, _send(DEDUP))
    ),
    "nobody fetches": Mistake(2, _keep_disabled, _update_mapping(Enabled=True)),
    "batch of two": Mistake(
        2,
        _all(
            Student.make_queue,
            Student.upload,
            lambda student: [
                student.sqs.send_message(QueueUrl=student.url, MessageBody='{"id": "dedup-order", "quantity": 4}')
                for _ in range(2)
            ],
            lambda student: student.map(batch_size=10),
        ),
        _all(_update_mapping(BatchSize=1), _delete("dedup-order"), _send(DEDUP)),
    ),
    "call that is not known": Mistake(
        2, _with(("ConditionExpression=", "ConditionExpressions=")), _all(Student.upload, _wait)
    ),
    "no app.py at the root, with an order stored before": Mistake(
        2,
        _all(Student.connect, _send(DEDUP), lambda student: student.upload(name="lab/app.py"), _send(DEDUP)),
        _all(Student.upload, _purge, _delete("dedup-order"), _send(DEDUP)),
    ),
    "worse code after a good run": Mistake(
        2,
        _all(
            _two_steps,
            lambda student: student.upload_with(*UNCONDITIONAL, ("250 * quantity + 100", "250 * quantity")),
            _delete("dedup-order"),
            _send(DEDUP),
        ),
        _mended,
    ),
    "unconditional write after a good run": Mistake(
        2, _all(_two_steps, lambda student: student.upload_with(*UNCONDITIONAL), _send(DEDUP)), _mended
    ),
    "another order over the stored one": Mistake(
        2,
        _all(_two_steps, lambda student: student.upload_with(*UNCONDITIONAL), _send({**DEDUP, "quantity": 5})),
        _mended,
    ),
    "condition on another attribute": Mistake(
        2, _with(("attribute_not_exists(id)", "attribute_not_exists(customer)")), _mended
    ),
    # Step 3
    "one repeat": Mistake(3, _all(_two_steps, _send(DEDUP)), _all(_send(DEDUP), _send(OTHER))),
    "condition that a repeat meets": Mistake(
        3,
        _repeats_with(("attribute_not_exists(id)", "attribute_not_exists(id) OR attribute_exists(id)")),
        _mended_and_repeated,
    ),
    "second write without a condition": Mistake(
        3, _all(_two_steps, lambda student: student.upload_with(*UNCONDITIONAL), _send(DEDUP)), _mended_and_repeated
    ),
    "refused write not caught": Mistake(
        3, _repeats_with((CATCH, "except KeyError as error:")), _all(Student.upload, _wait, _send(OTHER))
    ),
    "no ALL_OLD": Mistake(3, _repeats_with((ALL_OLD, "")), _all(Student.upload, _wait, _send(OTHER))),
    "refused write reported as processed": Mistake(
        3,
        _repeats_with(('"processed": not duplicate', '"processed": True')),
        _all(Student.upload, Student.repeat),
    ),
    "contradicting job acknowledged": Mistake(
        3,
        _all(
            _repeats_with(('            if error.response["Item"] != item:\n                raise\n', "")),
            _send(OTHER),
            _send({**DEDUP, "quantity": 7}),
        ),
        _all(Student.upload, _send({**DEDUP, "quantity": 7})),
    ),
    "contradicting job acknowledged, then a comment": Mistake(
        2,
        _all(
            _acknowledging_anything,
            lambda student: student.upload(EVERYTHING_ACKNOWLEDGED + "# better now\n"),
        ),
        _all(Student.upload, _send({**DEDUP, "quantity": 5})),
    ),
    "repeat that fails, then a comment": Mistake(
        3,
        _all(
            _three_steps,
            lambda student: student.upload(SOLUTION.replace(CATCH, "except KeyError as error:")),
            _send(DEDUP),
            lambda student: student.upload(SOLUTION.replace(CATCH, "except KeyError as error:  # better now")),
        ),
        _all(Student.upload, _wait),
    ),
    "impossible quantity taken": Mistake(
        3,
        _all(
            _repeats_with(("or not 1 <= quantity <= 10", "")), _send(OTHER), _send({"id": "big-order", "quantity": 11})
        ),
        _all(Student.upload, _delete("big-order"), _send({"id": "big-order", "quantity": 11})),
    ),
    "repeat with another quantity": Mistake(
        3,
        _all(_two_steps, _send(DEDUP), _send({**DEDUP, "quantity": 5})),
        _all(_send(DEDUP), _send(OTHER), _purge),
    ),
    "secret printed in the repeats": Mistake(
        3,
        _all(
            _two_steps,
            lambda student: student.upload_with((RESULT, RESULT + "        print(os.environ['AWS_SESSION_TOKEN'])\n")),
            Student.repeat,
        ),
        _all(Student.upload, _delete("other-order"), Student.repeat),
    ),
    "other order missing": Mistake(3, _all(_two_steps, _send(DEDUP), _send(DEDUP)), _send(OTHER)),
    "other order with another quantity": Mistake(
        3,
        _all(_two_steps, _send(DEDUP), _send(DEDUP), _send({**OTHER, "quantity": 2})),
        _all(_delete("other-order"), _send(OTHER)),
    ),
    "third order": Mistake(3, _all(_two_steps, _send({"id": "mine", "quantity": 3}), Student.repeat), _delete("mine")),
    "jobs tried that have to fail": Mistake(
        3,
        _all(_two_steps, _send({**DEDUP, "quantity": 5}), _send({**DEDUP, "quantity": True}), Student.repeat),
        _purge,
    ),
    "queue deleted with a message that fails": Mistake(
        3,
        _all(_two_steps, _send("roto"), Student.repeat, Student.delete_mapping, Student.delete_queue),
        Student.connect,
    ),
    "message that fails": Mistake(3, _all(_two_steps, _send("roto"), Student.repeat), _purge),
    "reference changed": Mistake(
        3,
        _all(_two_steps, lambda student: student.put("reference", id="reference", note="changed"), Student.repeat),
        _restore_reference,
    ),
    "reference gets another item": Mistake(
        3,
        _all(_two_steps, lambda student: student.put("reference", id="new", note="mine"), Student.repeat),
        lambda student: student.dynamodb.delete_item(TableName="lab05-reference", Key={"id": {"S": "new"}}),
    ),
    # The clean-up
    "nothing to clean up": Mistake(0, lambda student: None, _all(_three_steps, Student.clean_up)),
    "mapping left": Mistake(0, _three_steps, Student.clean_up),
    "mapping about to go": Mistake(
        0,
        _all(_three_steps, _start_deleting),
        _all(Student.settle, Student.delete_queue, _delete("dedup-order", "other-order"), Student.delete_log),
    ),
    "queue first": Mistake(
        0,
        _all(_three_steps, Student.delete_queue),
        _all(Student.delete_mapping, _delete("dedup-order", "other-order"), Student.delete_log),
    ),
    "queue left": Mistake(
        0,
        _all(_three_steps, Student.delete_mapping),
        _all(Student.delete_queue, _delete("dedup-order", "other-order"), Student.delete_log),
    ),
    "order left": Mistake(
        0,
        _all(_three_steps, Student.delete_mapping, Student.delete_queue, _delete("dedup-order"), Student.delete_log),
        _delete("other-order"),
    ),
    "log group left": Mistake(
        0,
        _all(_three_steps, Student.delete_mapping, Student.delete_queue, _delete("dedup-order", "other-order")),
        Student.delete_log,
    ),
    "reference deleted": Mistake(
        0,
        _all(
            _three_steps,
            Student.clean_up,
            lambda student: student.dynamodb.delete_item(TableName="lab05-reference", Key={"id": {"S": "reference"}}),
        ),
        _restore_reference,
    ),
}
