"""Trying an answer under a scenario: repeatable stories, right answers that pass, and nothing made for the visible examples."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from typing import Any

import boto3
import pytest

from bentocola.checks import FrameError, seeds
from bentocola.checks.explore import explore
from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.scenarios import SCENARIOS, TRIES
from bentocola.cloud.cloud import Cloud
from tests.checks.pythons import python_3_12
from tests.checks.repeatable import WRONG, told
from tests.checks.students import HANDLER_01, HANDLER_05, cell, function, handler
from tests.mutants import CELLS
from tests.mutants.reference import reference
from tests.notebooks.editions import fill
from tests.repository import ROOT

STORY = """
import contextlib, io, json, sys
sys.path.insert(0, {root!r})
with contextlib.redirect_stdout(io.StringIO()):
    import bentocola
    cloud = bentocola.start({language!r})
from bentocola.checks import FrameError, seeds
from bentocola.checks.explore import explore
from tests.checks.students import function
from tests.checks.repeatable import WRONG, told
seeds.use("a secret")
print(json.dumps(told(explore(cloud, "handler-stops", function(WRONG), answer="handler", secret=True))))
"""


@pytest.fixture(autouse=True)
def secret() -> Any:
    """A course with a secret."""
    seeds.use("a secret")
    yield
    seeds._given = None


def story(cloud: Cloud) -> list[Any]:
    """What a wrong handler's story is, with the secret seed."""
    return told(explore(cloud, "handler-stops", function(WRONG), answer="handler", secret=True))


def test_a_seed_gives_the_same_story_twice(cloud: Cloud) -> None:
    """Whether the check runs for the first or the second time, with everything that the story says and shows."""
    first = story(cloud)

    assert first[0] == "story"
    assert first[5]
    assert story(cloud) == first


def test_a_seed_gives_the_same_story_in_a_cloud_with_other_things_in_it(cloud: Cloud) -> None:
    """Queues, messages, tables, planned faults and a clock that moved are no part of it."""
    first = story(cloud)
    sqs, dynamodb = boto3.client("sqs"), boto3.client("dynamodb")
    queue = sqs.create_queue(QueueName=cloud.names.queue)["QueueUrl"]
    for n in range(12):
        sqs.send_message(QueueUrl=queue, MessageBody=str(n))
    sqs.receive_message(QueueUrl=queue, MaxNumberOfMessages=3)
    dynamodb.create_table(
        TableName=cloud.names.table,
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    )
    dynamodb.put_item(TableName=cloud.names.table, Item={"id": {"S": "dedup-order"}})
    cloud.faults.throttle("dynamodb:*", times=5)
    cloud.clock.advance(17)

    assert story(cloud) == first
    assert len(cloud.faults.planned) == 1


def told_by(python: str, cloud: Cloud) -> list[Any]:
    """Return what a fresh process of that Python tells, with the packages of this one."""
    program = STORY.format(root=str(ROOT), language=cloud.edition)
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p.endswith("site-packages"))}
    ran = subprocess.run([python, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return list(json.loads(ran.stdout))


def test_a_seed_gives_the_same_story_in_a_fresh_process(cloud: Cloud) -> None:
    """On another day, in another kernel."""
    assert told_by(sys.executable, cloud) == story(cloud)


@pytest.mark.slow
def test_a_seed_gives_the_same_story_on_python_3_12(cloud: Cloud) -> None:
    """Where that Python is installed and can import what is installed for this one."""
    python = python_3_12()
    if python is None:
        pytest.skip("There is no Python 3.12 on this machine.")
    try:
        there = told_by(python, cloud)
    except subprocess.CalledProcessError as error:
        if "ImportError" in error.stderr or "ModuleNotFoundError" in error.stderr:
            pytest.skip("The packages of this Python are not for 3.12.")
        raise
    assert there == story(cloud)


@pytest.mark.slow
@pytest.mark.parametrize("secret_part", [False, True], ids=["visible", "secret"])
@pytest.mark.parametrize("assignment", sorted(CELLS))
def test_reference_answers_pass(cloud: Cloud, assignment: str, secret_part: bool) -> None:
    """The teacher's own answers hold in every scenario, with the visible seed and with the course's."""
    answers = reference(assignment, cloud.edition)
    clients = {name: boto3.client(name) for name in ("s3", "sqs", "dynamodb")}
    names: dict[str, Any] = cell("", **clients)
    for id_ in CELLS[assignment]:
        exec(compile(fill(answers[id_], cloud.edition), f"<student {id_}>", "exec"), names)
    failed = {}
    for id_, scenarios in CELLS[assignment].items():
        name = id_.replace("-", "_")
        for scenario in scenarios:
            found = explore(cloud, scenario, names[name], answer=name, secret=secret_part)
            most = TRIES["secret" if secret_part else "visible"] + len(SCENARIOS[scenario].first)
            assert 0 < found.cases <= most
            if found.kind != "passed":
                failed[scenario] = (found.kind, found.observed)

    assert failed == {}


def test_a_page_s_own_python_plays_fewer_schedules(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything takes several times as long in a browser; the message says how many were played."""
    function = cell(reference("05", cloud.edition)["order-of"])["order_of"]
    here = explore(cloud, "order-of-item", function, answer="order_of")
    monkeypatch.setattr("bentocola.checks.explore.sys.platform", "emscripten")
    there = explore(cloud, "order-of-item", function, answer="order_of")

    assert (here.kind, there.kind) == ("passed", "passed")
    assert len(SCENARIOS["order-of-item"].first) < there.cases < here.cases


@pytest.mark.slow
def test_right_answers_of_another_style_pass(cloud: Cloud) -> None:
    """Answers written otherwise than the reference hold too."""
    for source, scenarios in ((HANDLER_01, CELLS["01"]["handler"]), (HANDLER_05, CELLS["05"]["handler"])):
        for scenario in scenarios:
            found = explore(cloud, scenario, handler(cloud, source), answer="handler", secret=True)
            assert (scenario, found.kind) == (scenario, "passed")


def test_secret_orders_are_not_the_public_ones(cloud: Cloud) -> None:
    """Other customers, other numbers, other ids; and each secret has its own."""
    public, first, second = (Uploads(cloud.names, seed) for seed in (None, 1, 2))

    assert public.customers == cloud.names.customers
    for made, other in ((first, public), (second, public), (first, second)):
        assert not set(made.customers) & set(other.customers)
        assert made.numbers != other.numbers
    assert not set(Jobs(cloud.names, 1).ids) & set(Jobs(cloud.names, None).ids)
    assert Jobs(cloud.names, 1).ids == Jobs(cloud.names, 1).ids


@pytest.mark.parametrize("seed", range(20))
def test_orders_are_different_from_one_another(cloud: Cloud, seed: int) -> None:
    """Of any seed: three customers, four numbers, three ids, and quantities from 1 to 10."""
    uploads, jobs = Uploads(cloud.names, seed), Jobs(cloud.names, seed)

    assert (len(set(uploads.customers)), len(set(uploads.numbers)), len(set(jobs.ids))) == (3, 4, 3)
    assert len(set(jobs.quantities)) == 3
    assert all(1 <= quantity <= 10 for quantity in jobs.quantities)
    assert len({uploads.order(n) for n in range(5)}) == 5


VISIBLE_KEYS = """
def f(body):
    from urllib.parse import unquote_plus
    try:
        keys = [record["s3"]["object"]["key"] for record in json.loads(body).get("Records", [])]
    except ValueError:
        raise
    known = {PATHS}
    return [known.get(key, key) for key in keys]
"""


def test_keys_made_for_the_visible_examples_fail_the_secret_part(cloud: Cloud) -> None:
    """A table of the edition's own keys passes what everybody can see, and not what is graded."""
    from urllib.parse import quote_plus

    orders = Uploads(cloud.names, None)
    shown = [orders.path(n) for n in range(5)]
    shown += [f"{cloud.names.prefix}{customer}/{orders.numbers[0]}.json" for customer in orders.tricky]
    known = {quote_plus(path, safe="/"): path for path in shown}
    answer = function(VISIBLE_KEYS.replace("{PATHS}", repr(known)))

    assert explore(cloud, "order-keys-encoded", answer, answer="order_keys").kind == "passed"
    assert explore(cloud, "order-keys-encoded", answer, answer="order_keys", secret=True).kind == "value"


def test_a_handler_made_for_the_visible_examples_fails_the_secret_part(cloud: Cloud) -> None:
    """One that knows the edition's customers and numbers stores nothing of anybody else."""
    orders = Uploads(cloud.names, None)
    known = [*cloud.names.customers, *orders.tricky]
    source = HANDLER_01.replace(
        "                if folder",
        f"                if customer not in {known!r}:\n                    continue\n                if folder",
    )

    assert explore(cloud, "handler-stores", handler(cloud, source), answer="handler").kind == "passed"
    assert explore(cloud, "handler-stores", handler(cloud, source), answer="handler", secret=True).kind == "story"


def test_an_answer_made_for_the_visible_ids_fails_the_secret_part(cloud: Cloud) -> None:
    """Assignment 05 likewise: only the ids that everybody can see."""
    source = HANDLER_05.replace(
        'raise ValueError("id")',
        'raise ValueError("id")\n        if not name.endswith("-order"):\n            continue',
    )

    assert explore(cloud, "handler-saves", function(source), answer="handler").kind == "passed"
    assert explore(cloud, "handler-saves", function(source), answer="handler", secret=True).kind != "passed"


@pytest.mark.parametrize(
    ("source", "kind"),
    [
        ("    while True: pass\n", "endless"),
        ("    1 / 0\n", "raised"),
        ("    pass\n", "type"),
        ("    return 'a'\n", "type"),
        ("    return {'id': {'S': 'x'}}\n", "value"),
    ],
    ids=["endless", "exception", "nothing", "another type", "another value"],
)
def test_each_way_to_fail_has_a_kind_of_its_own(cloud: Cloud, source: str, kind: str) -> None:
    """A loop, an exception, nothing, a wrong type, a wrong value: each is told as what it is, with what was seen."""
    found = explore(cloud, "order-of-item", function("def f(body):\n" + source), answer="order_of")

    assert found.kind == kind
    assert found.observed


def test_a_changed_event_is_told_as_one(cloud: Cloud) -> None:
    """The handler that works, but empties what it was handed."""
    source = HANDLER_05.rstrip("\n") + "\n    event.clear()\n"

    assert explore(cloud, "handler-saves", function(source), answer="handler").kind == "changed"


@pytest.mark.parametrize("scenario", ["order-of-item", "save-job-repeat", "handler-saves", "work-batch-ids"])
def test_a_blank_answer_is_no_finding(cloud: Cloud, scenario: str) -> None:
    """NotImplementedError comes out, for the frame to tell."""
    with pytest.raises(NotImplementedError):
        explore(cloud, scenario, function("def f(*arguments):\n    raise NotImplementedError\n"), answer="f")


def test_a_scenario_that_does_not_exist_is_an_error_of_the_frame(one_cloud: Cloud) -> None:
    """A test cell's own mistake."""
    with pytest.raises(FrameError):
        explore(one_cloud, "none", print, answer="f")


def test_it_starts_no_thread_and_no_process(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """As in a browser, which has neither: a passing and a failing answer are tried to the end."""

    def refuse(*arguments: object, **named: object) -> None:
        raise AssertionError("A thread or a process was started.")

    for place, name in ((threading.Thread, "start"), (subprocess, "Popen"), (os, "fork")):
        monkeypatch.setattr(place, name, refuse)

    assert explore(cloud, "save-once-keeps", guarded, answer="save_once").kind == "passed"
    assert explore(cloud, "save-once-keeps", overwriting, answer="save_once").misconception == "put-inserts"


def guarded(dynamodb: Any, table: str, item: dict[str, Any]) -> bool:
    """Save an item once."""
    try:
        dynamodb.put_item(TableName=table, Item=item, ConditionExpression="attribute_not_exists(customer)")
    except dynamodb.exceptions.ConditionalCheckFailedException:
        return False
    return True


def overwriting(dynamodb: Any, table: str, item: dict[str, Any]) -> bool:
    """Save an item over whatever is there."""
    return "Attributes" not in dynamodb.put_item(TableName=table, Item=item, ReturnValues="ALL_OLD")


def test_a_flood_of_prints_is_said_and_costs_nothing(cloud: Cloud) -> None:
    """A right answer that prints a novel passes, and a note says that not all of it was kept."""

    def chatty(dynamodb: Any, table: str, item: dict[str, Any]) -> bool:
        print("x" * 30_000)
        return guarded(dynamodb, table, item)

    found = explore(cloud, "save-once-keeps", chatty, answer="save_once")

    assert found.kind == "passed"
    assert len(found.notes) == 1
    assert "20000" in found.notes[0]
    assert explore(cloud, "save-once-keeps", guarded, answer="save_once").notes == ()
