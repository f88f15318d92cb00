"""The widgets without a page: what they hold, say and answer, in plain Python and as a kernel without a browser has them."""

from __future__ import annotations

import gc
import json
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import boto3
import pytest

import bentocola.views
from bentocola.errors import ViewError
from bentocola.views import AwsView, Stepper
from bentocola.views import widget as widgets
from bentocola.views.viewed import ViewedCloud


class Shell:
    """What IPython's shell offers a view: the end of a cell, and what asked for it."""

    def __init__(self) -> None:
        self.ended: list[Callable[[Any], None]] = []
        self.events = SimpleNamespace(
            register=lambda event, told: self.ended.append(told), unregister=lambda event, told: self.ended.remove(told)
        )
        self.run = ("cell", "run-1")

    def get_parent(self) -> dict[str, Any]:
        """What asked for the cell."""
        cell, run = self.run
        return {"header": {"msg_id": run}, "metadata": {"cellId": cell}}

    def end_cell(self) -> None:
        """End a cell."""
        for told in list(self.ended):
            told(None)


@pytest.fixture
def shell(monkeypatch: pytest.MonkeyPatch) -> Shell:
    """A notebook's shell."""
    shell = Shell()
    monkeypatch.setattr(widgets, "get_ipython", lambda: shell)
    monkeypatch.setattr(widgets, "_of_cells", {})
    return shell


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The messages that views send to their pages."""
    messages: list[dict[str, Any]] = []
    monkeypatch.setattr(widgets.View, "send", lambda view, content, buffers=None: messages.append(content))
    return messages


def say(view: Any, **content: Any) -> None:
    """Let the page of a view send a message."""
    view._handle_custom_msg(content, [])


def fill() -> None:
    """Make a queue with a hidden message and a visible one, and a table with an item."""
    sqs, dynamodb = boto3.client("sqs"), boto3.client("dynamodb")
    url = sqs.create_queue(QueueName="jobs")["QueueUrl"]
    for body in ("one", "two"):
        sqs.send_message(QueueUrl=url, MessageBody=body)
    sqs.receive_message(QueueUrl=url)
    dynamodb.create_table(
        TableName="orders",
        BillingMode="PAY_PER_REQUEST",
        KeySchema=[{"AttributeName": "id", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "id", "AttributeType": "S"}],
    )
    for _ in range(2):
        with suppress(dynamodb.exceptions.ConditionalCheckFailedException):
            condition = "attribute_not_exists(id)"
            dynamodb.put_item(TableName="orders", Item={"id": {"S": "a"}}, ConditionExpression=condition)


def test_importing_the_course_imports_no_widget() -> None:
    """Neither `import bentocola` nor `bentocola.start` pays for what draws."""
    program = (
        "import sys, bentocola; bentocola.start('es').stop(); import bentocola.views; "
        "print([name for name in ('anywidget', 'ipywidgets', 'IPython') if name in sys.modules])"
    )

    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert done.stdout.splitlines()[-1] == "[]"


def test_there_are_two_views() -> None:
    """Another name is no attribute."""
    assert bentocola.views.__all__ == ["AwsView", "Stepper"]
    with pytest.raises(AttributeError, match="NoView"):
        bentocola.views.NoView  # noqa: B018


@pytest.mark.parametrize(
    ("edition", "lines"),
    [
        (
            "es",
            [
                "Vista de AWS",
                "Cola jobs: visibles, 1; en proceso, 1; con retraso, 0",
                "Tabla orders: elementos, 1",
                "Decisiones de escritura: aceptadas, 1; rechazadas, 1",
            ],
        ),
        (
            "ja",
            [
                "AWSビュー",
                "キューjobs：待機中1件、処理中1件、遅延中0件",
                "テーブルorders：項目1件",
                "書き込みの判定：受理1回、拒否1回",
            ],
        ),
    ],
)
def test_printed_it_says_what_there_is(start: Callable[..., ViewedCloud], edition: str, lines: list[str]) -> None:
    """Where nothing draws, the view is a few lines of text, in the edition's language; a display holds them as well."""
    view = start(edition).view()
    fill()

    assert str(view).splitlines() == lines
    assert view._repr_mimebundle_()[0]["text/plain"] == "\n".join(lines)


def test_printed_it_counts_runs_and_dead_letters(cloud: ViewedCloud) -> None:
    """A dead-letter queue is called so, and failed runs are counted."""
    sqs = boto3.client("sqs")
    dead = sqs.create_queue(QueueName="dead")["QueueUrl"]
    arn = sqs.get_queue_attributes(QueueUrl=dead, AttributeNames=["QueueArn"])["Attributes"]["QueueArn"]
    redrive = json.dumps({"deadLetterTargetArn": arn, "maxReceiveCount": "1"})
    url = sqs.create_queue(QueueName="jobs", Attributes={"RedrivePolicy": redrive})["QueueUrl"]
    sqs.send_message(QueueUrl=url, MessageBody="x")
    cloud.poll_once(url, lambda event, context: 1 / 0)
    cloud.clock.advance(30)
    sqs.receive_message(QueueUrl=url)

    assert {"Cola de mensajes fallidos (DLQ) dead: mensajes, 1", "Ejecuciones: 1; fallaron 1"} <= set(
        str(cloud.view()).splitlines()
    )


def test_an_empty_cloud_says_so(cloud: ViewedCloud) -> None:
    """Before anything is made there is one sentence."""
    assert str(cloud.view()) == "Vista de AWS\nTodavía no hay nada."


# The page's part


def test_what_nobody_draws_keeps_the_end_of_the_cell(
    cloud: ViewedCloud, shell: Shell, sent: list[dict[str, Any]]
) -> None:
    """Without a page, the widget's own state is all that happened until the last cell ended; messages go to nobody."""
    view = cloud.view()
    assert view.feed["steps"] == []
    fill()
    assert view.feed["steps"] == []

    shell.end_cell()

    assert [step["n"] for step in view.feed["steps"]] == list(range(1, len(cloud.trace) + 1))
    assert view.connected
    assert sent == []


def test_what_is_drawn_gets_messages(cloud: ViewedCloud, shell: Shell, sent: list[dict[str, Any]]) -> None:
    """Once a page has asked, what happens goes to it, and the state that was sent stays as it was."""
    view = cloud.view()
    say(view, type="ready", story=view.feed["story"], since=0)
    assert [message["type"] for message in sent] == ["feed"]
    assert sent.pop()["feed"]["steps"] == []
    fill()

    shell.end_cell()

    steps = [step["n"] for message in sent for step in message["feed"]["steps"]]
    assert steps == list(range(1, len(cloud.trace) + 1))
    assert view.feed["steps"] == []
    view.close()


def test_a_page_that_asks_anything_gets_an_answer(cloud: ViewedCloud, shell: Shell, sent: list[dict[str, Any]]) -> None:
    """What makes no sense is answered from the beginning; what is no request is passed over."""
    fill()
    view = cloud.view()
    say(view, type="ready", story=None, since="x")
    assert sent[0]["feed"]["initial"] == {}
    assert len(sent[0]["feed"]["steps"]) == len(cloud.trace)
    sent.clear()

    say(view, type="nothing")
    view._handle_custom_msg(["ready"], [])

    assert sent == []
    view.close()


def test_a_replaced_cloud_is_shown_as_ended(
    start: Callable[..., ViewedCloud], shell: Shell, sent: list[dict[str, Any]]
) -> None:
    """The view of a cloud that another one has replaced says so, and shows its own, drawn or not."""
    cloud = start()
    drawn, other = cloud.view(), cloud.view()
    fill()
    say(drawn, type="ready", story="", since=0)
    gc.collect()  # a view that an earlier test has left would say that it is lost as well
    sent.clear()

    start()
    shell.end_cell()

    assert not drawn.connected
    assert not other.connected
    assert {"type": "lost"} in sent
    assert len(other.feed["steps"]) == len(cloud.trace) == 7
    boto3.client("sqs").create_queue(QueueName="new")
    sent.clear()
    shell.end_cell()
    assert sent == []
    assert "new" not in str(other)


def test_a_cell_that_runs_again_ends_its_earlier_view(
    cloud: ViewedCloud, shell: Shell, sent: list[dict[str, Any]]
) -> None:
    """Views that the page has taken away are not followed for ever; two views of one cell both live."""
    first, second = cloud.view(), cloud.view()
    shell.run = ("other", "run-2")
    elsewhere = cloud.view()
    assert len(shell.ended) == 3

    shell.run = ("cell", "run-3")
    third = cloud.view()

    assert shell.ended == [elsewhere._cell_ended, third._cell_ended]
    assert [view.connected for view in (first, second, elsewhere, third)] == [False, False, True, True]


# The stepper


def test_a_stepper_takes_a_trace_in_each_form(cloud: ViewedCloud, tmp_path: Path) -> None:
    """The trace itself, its data, a file of it: the same steps, in the language of the cloud that runs."""
    fill()
    data = cloud.trace.data()
    file = tmp_path / "trace.json"
    file.write_text(json.dumps(data), encoding="utf-8")

    for given in (cloud.trace, data, file, str(file)):
        stepper = Stepper(given)
        assert (stepper.kind, stepper.language, stepper.mode) == ("stepper", "es", "session")
        assert stepper.traces == {"session": data}
        assert str(stepper).splitlines()[1] == "  1. Tu código → CreateQueue (jobs)."


def test_a_counterexample_is_shown_as_one(cloud: ViewedCloud) -> None:
    """A trace says itself how it is to be shown."""
    fill()

    stepper = Stepper(cloud.trace.data("shrunk", "counterexample"), language="ja")

    assert (stepper.mode, list(stepper.traces), stepper.language) == ("counterexample", ["counterexample"], "ja")


@pytest.mark.parametrize("given", [None, 7, [], {}, {"schema": "bentocola.trace/2", "steps": []}])
def test_what_is_no_trace_is_refused(cloud: ViewedCloud, given: Any) -> None:
    """In a sentence that says what is expected and what came."""
    with pytest.raises(ViewError, match=r"espera una traza.*bentocola\.trace/1.*Recibió"):
        Stepper(given)


def test_what_is_no_file_of_a_trace_is_refused(cloud: ViewedCloud, tmp_path: Path) -> None:
    """No file, no JSON, and JSON that is something else."""
    (tmp_path / "text").write_text("x", encoding="utf-8")
    (tmp_path / "list").write_text("[]", encoding="utf-8")
    for name in ("missing", "text", "list"):
        with pytest.raises(ViewError, match=name):
            Stepper(tmp_path / name)


def test_a_story_is_a_widget(cloud: ViewedCloud) -> None:
    """It holds the texts and a trace for each fault; what the page sets reaches Python."""
    stepper = Stepper.story(cloud, "twice")

    assert (stepper.kind, stepper.mode, stepper.fault) == ("stepper", "lesson", "none")
    state = stepper.get_state()
    assert list(state["traces"]) == [fault["id"] for fault in state["story"]["faults"]]
    stepper.set_state({"step": 3, "prediction": "one", "fault": "duplicate"})
    assert (stepper.step, stepper.prediction, stepper.fault) == (3, "one", "duplicate")
    assert "Se entrega dos veces" in str(stepper)


def test_faults_are_planned_from_the_page(cloud: ViewedCloud, shell: Shell, sent: list[dict[str, Any]]) -> None:
    """Each fault of the page is planned in the cloud, and said; what cannot be planned is refused in a sentence."""
    stepper = Stepper.live(cloud)
    assert (stepper.mode, stepper.feed["story"]) == ("session", cloud.trace.story)
    kinds = ("throttle", "lost_response", "stop_before", "stop_after", "deliver_again")

    for kind in kinds:
        say(stepper, type="fault", kind=kind, operation="dynamodb:PutItem")

    assert [fault.kind for fault in cloud.faults.planned] == list(kinds)
    assert [message["type"] for message in sent] == ["said"] * 5
    assert sent[0]["text"] == "Fallo preparado: afectará a la próxima llamada a dynamodb:PutItem."
    assert sent[4]["text"] == "Fallo preparado: SQS entregará una vez más el próximo mensaje."
    for wrong in ({"kind": "throttle", "operation": "x"}, {"kind": "throttle"}, {"kind": "fire"}, {"kind": []}):
        say(stepper, type="fault", **wrong)
    assert len(cloud.faults.planned) == 5
    assert all(message["text"] for message in sent)
    cloud.stop()
    say(stepper, type="fault", kind="throttle", operation="dynamodb:PutItem")
    assert "terminó" in sent[-1]["text"]


def test_a_served_cloud_that_is_away_is_a_view_too(shell: Shell) -> None:
    """Where nobody listens yet, the view is there, empty, and says so."""
    view = AwsView.served("http://127.0.0.1:9", language="ja", lab={"name": "n", "prefix": "p"})

    shell.end_cell()

    assert (view.feed, view.connected, view.lab) == (None, False, {"name": "n", "prefix": "p"})
    assert str(view) == "AWSビュー\nまだ何もありません。"
