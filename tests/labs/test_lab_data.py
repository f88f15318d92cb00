"""Labs as data: what is read from a lab's folder, what is given from it, and what a prefix may be."""

from __future__ import annotations

import ast
from collections.abc import Callable

import boto3
import pytest

from bentocola.cli import language
from bentocola.labs.catalogue import exam_tasks, labs, longest_prefix, prefix_fault, read_lab
from bentocola.messages import LANGUAGES, listed, translate
from tests.labs.student import Student

NAME = "idempotent-consumer"


def test_labs_are_found() -> None:
    """In the order of the modules."""
    assert labs() == [NAME]


def test_names_begin_with_the_prefix() -> None:
    """Also inside of the log group's, and in what the role may do."""
    lab = read_lab(NAME, "mine")

    assert lab.names["log_group"] == "/aws/lambda/mine-worker"
    assert "lab05" not in str(lab.given)
    assert read_lab(NAME).prefix == "lab05"


def test_what_is_given(student: Student) -> None:
    """Tables, item, function and role, and nothing in the trace of how they were made."""
    dynamodb, iam = boto3.client("dynamodb"), boto3.client("iam")

    assert sorted(dynamodb.list_tables()["TableNames"]) == ["lab05-orders", "lab05-reference"]
    assert dynamodb.scan(TableName="lab05-orders")["Count"] == 0
    (item,) = dynamodb.scan(TableName="lab05-reference")["Items"]
    assert item["note"] == {"S": "keep unchanged"}
    schema = dynamodb.describe_table(TableName="lab05-orders")["Table"]["KeySchema"]
    assert schema == [{"AttributeName": "id", "KeyType": "HASH"}]
    function = student.awslambda.get_function_configuration(FunctionName="lab05-worker")
    assert (function["Handler"], function["Timeout"]) == ("app.handler", 10)
    policy = iam.get_role_policy(RoleName="lab05-worker-role", PolicyName="lab")["PolicyDocument"]
    may = {action for statement in policy["Statement"] for action in statement["Action"]}
    assert {action for action in may if not action.startswith("logs:")} == {
        *("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"),
        "dynamodb:PutItem",
    }
    assert not any("*" in str(statement["Resource"]).removesuffix(":*']") for statement in policy["Statement"])
    assert student.sqs.list_queues().get("QueueUrls", []) == []
    assert (
        student.room.cloud.trace.data()["initial"][f"item/lab05-reference/{item['id']['S']}"]["note"]
        == "keep unchanged"
    )


def test_trace_begins_after_what_is_given(student: Student) -> None:
    """The first step is the student's own."""
    student.make_queue()

    assert student.room.cloud.trace.steps[0]["api"] == "sqs:CreateQueue"


@pytest.mark.parametrize("edition", LANGUAGES)
def test_starter_in_each_language(edition: str) -> None:
    """The same code, with comments in the student's language."""
    (source,) = read_lab(NAME).starter(edition).values()

    assert ast.parse(source).body
    assert translate(edition, "This write has no condition: a repeated job writes its order once more.") in source


def test_starters_are_one_program() -> None:
    """But for comments and the first line, nothing differs between the languages."""

    def code(language: str) -> str:
        tree = ast.parse(read_lab(NAME).starter(language)["app.py"])
        return ast.dump(ast.Module(tree.body[1:], []))

    assert code("es") == code("ja")


@pytest.mark.parametrize(
    "prefix", ["", "Lab05", "lab 05", "lab_05", "5lab", "-lab", "lab-", "läb", "ラボ", "a/b", "a;b", "a\n"]
)
def test_prefix_with_odd_characters(prefix: str) -> None:
    """It is shown, with what a prefix may hold."""
    assert f"'{prefix}'" in str(prefix_fault(NAME, prefix, "es"))


def test_prefix_of_any_length_that_fits() -> None:
    """The longest name, the role's, has 64 characters then."""
    longest = longest_prefix(NAME)

    assert len(read_lab(NAME, "a" * longest).names["role"]) == 64
    assert prefix_fault(NAME, "a" * longest, "es") is None
    assert str(longest) in str(prefix_fault(NAME, "a" * (longest + 1), "es"))


def test_longest_prefix_works(open_lab: Callable[..., Student]) -> None:
    """Every name that is made of it is one that AWS takes."""
    student = open_lab(prefix="a" * longest_prefix(NAME))
    student.connect()
    student.guard()

    assert student.check(2)["holds"]


def test_lists_in_both_languages(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the locale is neither, each line is joined as its own language does, and no separator stands in both."""
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.setenv(name, "C.UTF-8")
    monkeypatch.delenv("BENTOCOLA_LANGUAGE", raising=False)
    monkeypatch.setattr(language, "_spoken", None)
    spanish, japanese = exam_tasks(read_lab(NAME), language.say).splitlines()

    assert "2.1, Developer" in spanish
    assert "2.1、Developer" in japanese
    assert str(listed(["a", "b"])) == "a, b"


def test_exam_tasks_have_a_date() -> None:
    """They change, so it is said of which day they are."""
    said = exam_tasks(read_lab(NAME), lambda message, **values: translate("es", message, **values))

    assert all(f"({exam}) {task}" in said for exam, task in read_lab(NAME).exams.items())
    assert {"SAA-C03", "DVA-C02", "DOP-C02", "SAP-C02"} == set(read_lab(NAME).exams)
    assert read_lab(NAME).exams_looked_up.isoformat() in said
