"""Lab 05 done right, and with one mistake at a time: what the checks say, and that a student recovers without a reset."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.door import Request
from bentocola.labs import verdict
from bentocola.labs.verdict import INDENT, Verdict
from bentocola.messages import LANGUAGES, translate
from tests.labs.mistakes import CATCH, EVERYTHING_ACKNOWLEDGED, MISTAKES
from tests.labs.student import DEDUP, OTHER, SOLUTION, Student

EXPECTED = tomllib.loads((Path(__file__).parent / "expected.toml").read_text(encoding="utf-8"))
UUID = r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
GO_ON = "        except ValueError:\n            continue\n"
RIGHT = (
    ("connect", 1),
    ("guard", 2),
    ("repeat", 3),
)


def in_one_line(sentence: str) -> str:
    """The sentence with each command in one line."""
    return re.sub(r" \\\n +", " ", sentence)


@pytest.mark.parametrize("language", LANGUAGES)
def test_right_path(open_lab: Callable[..., Student], language: str) -> None:
    """Each step holds once it is done, and not before; after the clean-up all of them hold still, from the trace."""
    student = open_lab(language=language)
    for action, step in RIGHT:
        assert not student.check(step)["holds"]
        getattr(student, action)()
        told = student.check(step)
        assert (told["holds"], told["missing"]) == (True, []), told
    assert not student.cleanup_check()["holds"]
    student.clean_up()
    told = student.check()

    assert told["holds"]
    assert len(told["proven"]) == len(set(told["proven"])) == 8
    assert student.cleanup_check()["holds"]


def test_what_is_proven_names_the_student_s_own_values(student: Student) -> None:
    """Runs, keys, totals and the condition are those of the trace."""
    student.connect()
    student.guard()
    student.repeat()
    said = "\n".join(student.check(3)["proven"])

    assert "La ejecución r1 guardó dedup-order, con un total de 1100" in said
    assert "attribute_not_exists(id)" in said
    assert "rechazó 2 escrituras" in said
    assert "(r2, r3)" in said
    assert "La ejecución r4 guardó other-order, con un total de 350" in said
    assert "Cuentan 4 ejecuciones: r1, r2, r3, r4." in said
    assert "lab05-jobs está vacía" in said


@pytest.mark.parametrize("name", MISTAKES)
def test_mistake(student: Student, name: str) -> None:
    """One sentence says what is missing and what to do; done so, the check holds, and nothing was begun anew."""
    mistake = MISTAKES[name]

    def ask(language: str) -> Verdict:
        history = student.room._history()
        say = partial(translate, language)
        if mistake.check:
            return verdict.check(student.room.lab, history, say, mistake.check)
        return verdict.cleanup_check(student.room.lab, history, say)

    mistake.make(student)
    for language in LANGUAGES:
        told = ask(language)
        said = [re.sub(UUID, "{uuid}", in_one_line(sentence)) for sentence in told.missing]
        assert (told.holds, said) == (False, [EXPECTED[name][language]])
    mistake.mend(student)
    told = ask("es")

    assert (told.holds, told.missing) == (True, []), told


def test_every_mistake_is_expected() -> None:
    """No sentence is expected of a mistake that is no longer made."""
    assert set(EXPECTED) == set(MISTAKES)


def test_second_mapping_is_told_when_the_first_is_right(student: Student) -> None:
    """ResourceConflictException is no fault then: one mapping works, and the student reads why the other was refused."""
    student.connect()
    assert student.fails(student.map) == "ResourceConflictException"
    told = student.check(1)

    assert told["holds"]
    assert "ResourceConflictException" in told["remarks"][0]
    assert "ResourceConflictException" not in "\n".join(told["proven"])


def test_mapping_that_is_being_made(student: Student) -> None:
    """Its state is AWS's own word, and the sentence says to look again."""
    student.make_queue()
    student.awslambda.create_event_source_mapping(
        FunctionName="lab05-worker", EventSourceArn="arn:aws:sqs:us-east-1:123456789012:lab05-jobs", BatchSize=1
    )

    assert "Creating" in student.check(1)["missing"][0]


def test_more_repeats_prove_the_same(student: Student) -> None:
    """Sending the job once too often is no mistake."""
    student.connect()
    student.guard()
    student.send(DEDUP)
    student.repeat()

    assert student.check()["holds"]


def test_message_that_comes_again_is_no_second_sending(student: Student) -> None:
    """A run for a message that was delivered before does not count as one more repeat."""
    student.connect()
    student.guard()
    student.room.cloud.faults.deliver_again()
    student.send(DEDUP)
    student.settle(31)
    student.send(OTHER)

    assert ": 1 de 2." in student.check(3)["missing"][0]


def test_starter_runs_and_is_wrong(student: Student) -> None:
    """The function that is given stores each job, the second time over the first, and reports it as processed again."""
    student.connect()
    student.send(DEDUP)
    student.send(DEDUP)
    steps = student.room.cloud.trace.steps
    decisions = [step["decision"] for step in steps if step["kind"] == "write"]
    logs = ["\n".join(step["run"]["log"]) for step in steps if step["kind"] == "run_end"]

    assert [(one["condition"], one["result"], one["before"] is None) for one in decisions] == [
        (None, "accepted", True),
        (None, "accepted", False),
    ]
    assert all(f"{word} " in log for log in logs for word in ("EVENT", "JOB", "RESULT"))
    assert all('"processed": true' in log for log in logs)
    assert "código inicial" in student.check(2)["missing"][0]


def test_experiments_after_a_step_leave_it_proven(student: Student) -> None:
    """Deleting an order, or another visibility timeout, does not take back what was shown; nor does a job that fails."""
    student.connect()
    student.guard()
    student.repeat()
    student.sqs.set_queue_attributes(QueueUrl=student.url, Attributes={"VisibilityTimeout": "60"})
    student.send({**DEDUP, "quantity": 9})
    student.delete_order("dedup-order")

    assert student.check()["holds"]


def test_refused_calls_prove_nothing(student: Student) -> None:
    """A clean-up whose commands were refused has cleaned nothing up."""
    student.connect()
    student.guard()
    student.repeat()
    student.room.cloud.faults.throttle("lambda:*", times=50)
    student.fails(student.awslambda.delete_event_source_mapping, UUID=student.mapping)

    assert not student.cleanup_check()["holds"]


def test_queue_before_the_mapping_is_told(student: Student) -> None:
    """The clean-up holds in the end, and the student reads what the order of things is good for."""
    student.connect()
    student.guard()
    student.repeat()
    student.delete_queue()
    student.delete_mapping()
    for job in (DEDUP, OTHER):
        student.delete_order(job["id"])
    student.delete_log()
    told = student.cleanup_check()

    assert told["holds"]
    assert "primero la asignación" in told["remarks"][0]


def test_what_was_not_tried_is_told(student: Student) -> None:
    """Until the present code has met each kind of job that it must refuse, a step that holds says how to try one."""
    student.connect()
    student.guard()
    for step in (2, None):
        assert len(student.check(2)["proven"]) == 2
        student.repeat()
        told = student.check(step)
        contradicting, impossible, purge = told["remarks"]
        assert told["holds"]
        assert '\'{"id": "dedup-order", "quantity": 5}\'' in contradicting
        assert '\'{"id": "dedup-order", "quantity": true}\'' in impossible
        assert "purge-queue" in purge
    student.send({**DEDUP, "quantity": 5})
    assert student.check()["remarks"][0] == impossible
    student.send({**DEDUP, "quantity": True})
    told = student.check()

    assert told["holds"]
    assert len(told["remarks"]) == 1
    assert "m8, m9" in told["remarks"][0]
    assert "purge-queue" in told["remarks"][0]
    refused = student.check(2)["proven"][2:]
    assert [re.findall(r"r\d|quantity\": \w+", sentence)[:2] for sentence in refused] == [
        ["r8", 'quantity": 5'],
        ["r9", 'quantity": true'],
    ]


def test_queue_is_not_called_empty_while_a_message_comes_back(student: Student) -> None:
    """Step 3 holds, because the queue had been empty: that is said of then, and what is there now is said too."""
    student.connect()
    student.guard()
    student.repeat()
    student.send({**DEDUP, "quantity": True})
    told = student.check(3)
    said = "\n".join(told["proven"])

    assert told["holds"]
    assert "lab05-jobs estaba vacía" in said
    assert "lab05-jobs está vacía" not in said
    assert "m5" in told["remarks"][-1]
    student.sqs.purge_queue(QueueUrl=student.url)
    told = student.check(3)
    assert "lab05-jobs está vacía" in "\n".join(told["proven"])
    assert "m5" not in "\n".join(told["remarks"])


def test_what_is_deleted_is_told_in_the_past(student: Student) -> None:
    """After the clean-up nothing is said to be there."""
    student.connect()
    assert "está en Enabled" in student.check(1)["proven"][1]
    student.guard()
    student.repeat()
    student.clean_up()
    said = "\n".join(student.check()["proven"])

    assert "estaba en Enabled" in said
    assert "lab05-jobs estaba vacía" in said
    assert "está en Enabled" not in said
    assert "está vacía" not in said


def test_runs_that_count_are_named(student: Student) -> None:
    """Where more ran than the lab asks for, it says which runs are meant, one for each message."""
    student.connect()
    student.upload_with((CATCH, "except KeyError as error:"))
    student.send(DEDUP)
    student.send(DEDUP)
    student.upload()
    student.settle(31)
    student.send(DEDUP)
    student.send(OTHER)

    assert "Cuentan 4 ejecuciones: r1, r3, r4, r5." in "\n".join(student.check(3)["proven"])


def test_failure_stays_until_the_present_code_is_tried(student: Student) -> None:
    """Another upload is no proof that the mistake is mended; the same kind of job is, whichever way it goes."""
    student.connect()
    student.upload(EVERYTHING_ACKNOWLEDGED)
    student.send(DEDUP)
    student.repeat()
    assert student.check(3)["holds"]
    student.send({**DEDUP, "quantity": 5})
    for source in (EVERYTHING_ACKNOWLEDGED + "# better now\n", SOLUTION):
        student.upload(source)
        for step in (2, 3):
            (missing,) = student.check(step)["missing"]
            assert "r5" in missing
            assert "todavía está sin probar" in missing
    student.send({**DEDUP, "quantity": 6})

    assert student.check(2)["holds"]
    assert student.check(3)["holds"]


def test_impossible_job_that_was_let_go(student: Student) -> None:
    """To acknowledge it without an error is as wrong as to store it."""
    student.connect()
    student.upload_with(("        item = wanted(job)\n", "        try:\n            item = wanted(job)\n" + GO_ON))
    student.send(DEDUP)
    student.send({**DEDUP, "quantity": 0})

    assert '"quantity": 0' in student.check(2)["missing"][0]


def test_aws_own_words_for_a_refused_mapping(student: Student) -> None:
    """What is quoted is what the command line showed."""
    student.make_queue(seconds=5)
    with pytest.raises(ClientError) as refused:
        student.map()
    student.sqs.set_queue_attributes(QueueUrl=student.url, Attributes={"VisibilityTimeout": "30"})

    assert f"«{refused.value.response['Error']['Message']}»" in student.check(1)["missing"][0]


def test_given_things_that_are_gone_are_told(student: Student) -> None:
    """The clean-up holds, and says what went too far."""
    student.connect()
    student.guard()
    student.repeat()
    student.clean_up()
    assert student.cleanup_check()["remarks"] == []
    student.dynamodb.delete_table(TableName="lab05-orders")
    student.awslambda.delete_function(FunctionName="lab05-worker")
    told = student.cleanup_check()

    assert told["holds"]
    assert all(name in told["remarks"][0] for name in ("lab05-orders", "lab05-worker"))


def test_command_has_lines_of_its_own(student: Student) -> None:
    """It can be copied whole, set as in the lab's notebook, and nothing else stands there."""
    sentence, *command = student.check(1)["missing"][0].split("\n")

    assert sentence.endswith("Créala:")
    assert command == [
        INDENT + "aws sqs create-queue --queue-name lab05-jobs \\",
        INDENT + "  --attributes VisibilityTimeout=30",
    ]


def test_commands_that_differ_look_different(student: Student) -> None:
    """What is to be sent stands on a line that a narrow panel shows whole."""
    student.connect()
    student.guard()
    contradicting, impossible, _ = student.check(2)["remarks"]

    assert contradicting.splitlines()[-1].strip() == '\'{"id": "dedup-order", "quantity": 5}\''
    assert impossible.splitlines()[-1].strip() == '\'{"id": "dedup-order", "quantity": true}\''


@pytest.mark.parametrize("step", [2, 3])
def test_contradicting_job_that_was_acknowledged_disproves(student: Student, step: int) -> None:
    """Step 2 is about the guard, and the guard let a job go that it has to refuse."""
    student.connect()
    student.upload_with(("raise\n            duplicate = True", "pass\n            duplicate = True"))
    student.send(DEDUP)
    student.repeat()
    assert student.check(step)["holds"]
    student.send({**DEDUP, "quantity": 5})
    told = student.check(step)

    assert not told["holds"]
    assert '"quantity": 5' in told["missing"][0]


def test_upload_alone_takes_nothing_back(student: Student) -> None:
    """Code that has not run says nothing; once it went wrong the step is open, until the lab is cleaned up."""
    student.connect()
    student.guard()
    student.upload_with(("250 * quantity + 100", "250 * quantity"))
    assert student.check(2)["holds"]
    student.delete_order("dedup-order")
    assert student.check(2)["holds"]
    student.send(DEDUP)
    assert "1000" in student.check(2)["missing"][0]
    student.clean_up()

    assert student.check(2)["holds"]


def test_cleared_trace_proves_nothing_but_what_is_there(student: Student) -> None:
    """What a student's own `trace --clear` forgets is no longer shown: the resources are, the runs are not."""
    student.connect()
    student.guard()
    student.room.cloud.trace.clear()
    assert student.check(1)["holds"]
    assert "delete-item" in student.check(2)["missing"][0]
    student.delete_order("dedup-order")
    student.send(DEDUP)

    assert student.check(2)["holds"]


def test_cleared_trace_forgets_not_what_was_given(student: Student) -> None:
    """What was to stay as it is, and was changed, is still told."""
    student.connect()
    student.put("reference", id="reference", note="mine")
    student.room.cloud.trace.clear()

    assert "keep unchanged" in student.check(3)["missing"][0]


@pytest.mark.parametrize("step", [0, 4, -1, "two", True, 1.5, [1]])
def test_step_that_is_none(student: Student, step: object) -> None:
    """It is refused with the steps that there are."""
    status, told = student.ask("lab/check", {"step": step})

    assert status == 400
    assert "1 al 3" in told["error"]


def test_body_that_is_none(student: Student) -> None:
    """Whatever a request holds, it is refused and not the lab's fault."""
    request = Request("POST", "http://127.0.0.1:5005/_bentocola/lab/check", {}, b"[" * 100_000)

    assert student.room.control(request).status == 400


def test_other_prefix(open_lab: Callable[..., Student]) -> None:
    """Every name and every sentence is of the lab's own prefix."""
    student = open_lab(prefix="aula-7")
    assert "aula-7-jobs" in student.check(1)["missing"][0]
    student.connect()
    student.guard()
    student.repeat()
    student.clean_up()

    assert student.check()["holds"]
    assert student.cleanup_check()["holds"]
