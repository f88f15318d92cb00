"""`bentocola.start` in a candidate: the course's local cloud, which runs in the examiner and stays the examiner's."""

from __future__ import annotations

import datetime
import threading

import boto3
import pytest
from moto import mock_aws

import bentocola
from bentocola.cloud.cloud import Cloud, running
from bentocola.messages import translate
from bentocola.shop import Shop
from tests.autograder.aws_rooms import Failed, Room, examiner, room

__all__ = ["examiner", "room"]
pytestmark = pytest.mark.usefixtures("examiner")

START = "import boto3, bentocola; from bentocola.shop import Shop; cloud = bentocola.start('es')\n"


@pytest.fixture
def cloud(examiner: None, room: Room) -> Cloud:
    """The cloud of the source's set-up cell, and the candidate's view of it as `cloud`."""
    room.new()
    cloud = bentocola.start("es")
    room.do(START)
    return cloud


def test_names_words_and_edition_are_the_cloud_s(room: Room, cloud: Cloud) -> None:
    """They are known in the candidate; printing it says the same."""
    said = room.do("result = [cloud.edition, cloud.names.bucket, cloud.say(', '), repr(cloud), cloud.set_aside]")

    assert said == ["es", cloud.names.bucket, cloud.say(", "), repr(cloud), []]
    assert room.do("from bentocola.cloud.cloud import running; result = running() is cloud")


def test_the_clock_is_the_cloud_s(room: Room, cloud: Cloud) -> None:
    """`now` and `advance` are about one time, for both; a bad number is refused with the course's own error."""
    told = room.do(
        "cloud.clock.advance(90); result = [cloud.clock.now().isoformat(), repr(cloud.clock), cloud.clock.elapsed_ms()]"
    )

    assert datetime.datetime.fromisoformat(told[0]) == cloud.clock.now()
    assert told[1:] == [repr(cloud.clock), cloud.clock.elapsed_ms()]
    assert room.do("result = [cloud.clock.stands_still, cloud.clock.now().utcoffset().total_seconds()]") == [True, 0]
    for wrong in ("-1", "'30'", "None", "True", "float('nan')", "float('inf')", "[30]"):
        with pytest.raises(Failed) as refused:
            room.do(f"cloud.clock.advance({wrong})")
        assert refused.value.name == "SecondsError", wrong


def test_the_trace_reads_as_the_cloud_s(room: Room, cloud: Cloud) -> None:
    """Iterated, counted, printed and as data; and what clears it here clears it there."""
    Shop(cloud)
    told = room.do(
        """
        trace = cloud.trace
        result = [list(trace), trace.steps, len(trace), str(trace), trace.data(), list(trace.since(3)), trace.last("message"),
                  trace.data("mine", since=2), trace.has_ended]
        """
    )
    steps = cloud.trace.data()["steps"]

    assert told[0] == told[1] == steps
    assert told[2:4] == [len(cloud.trace), str(cloud.trace)]
    assert told[4] == cloud.trace.data()
    assert told[5] == steps[3:]
    assert told[6]["kind"] == "message"
    assert told[7] == cloud.trace.data("mine", since=2)
    assert told[8] is False
    room.do("trace.clear()")
    assert len(cloud.trace) == 0


def test_a_block_has_a_trace_of_its_own(room: Room, cloud: Cloud) -> None:
    """`record` gives what happens in it; the cloud's own trace has none of it, and it can be read afterwards."""
    counts = room.do(
        """
        sqs = boto3.client("sqs")
        sqs.list_queues()
        with cloud.record() as outer:
            sqs.list_queues()
            with cloud.record() as inner:
                sqs.list_queues(); sqs.list_queues()
            sqs.list_queues()
        sqs.list_queues()
        result = [len(cloud.trace), len(outer), len(inner)]
        """
    )
    assert counts == [2, 2, 2]
    for _ in range(200):
        room.do("with cloud.record() as trace: pass")
    with pytest.raises(Failed) as refused:
        room.do(
            """
            import contextlib
            with contextlib.ExitStack() as stack:
                for _ in range(99):
                    stack.enter_context(cloud.record())
            """
        )
    assert refused.value.name == "CourseError"
    room.do("blocks = [cloud.record() for _ in range(5)]; [block.__enter__() for block in blocks]")
    room.gate.close()
    boto3.client("sqs").list_queues()
    assert len(cloud.trace) == 3


def test_a_round_runs_a_function_of_the_candidate(room: Room, cloud: Cloud) -> None:
    """`poll_once` with a local function: its answer decides, its calls are the run's, and an error is the object it raised."""
    told = room.do(
        """
        shop = Shop(cloud)
        url = shop.new_queue("1", "2", "x")
        sqs = boto3.client("sqs")
        def handler(event, context):
            bad = []
            for record in event["Records"]:
                sqs.list_queues()
                if record["body"] == "x":
                    bad.append({"itemIdentifier": record["messageId"]})
            return {"batchItemFailures": bad}
        done = cloud.poll_once(url, handler)
        cloud.clock.advance(30)
        boom = ValueError("boom")
        def fails(event, context):
            raise boom
        failed = cloud.poll_once(url, fails, batch_size=1)
        empty = cloud.poll_once(url, handler)
        result = [len(done.deleted), len(done.kept), done.response, failed.error is boom, len(failed.kept), empty.deleted]
        """
    )
    assert told[:2] == [2, 1]
    assert len(told[2]["batchItemFailures"]) == 1
    assert told[3:] == [True, 1, []]
    calls = [step for step in cloud.trace if step.get("api") == "sqs:ListQueues" and step["from"] == "lambda"]
    assert [step["ids"]["run"] for step in calls] == ["r1"] * 3
    runs = [step["run"] for step in cloud.trace if step["kind"] == "run_end"]
    assert [run["result"] for run in runs] == ["ok", "error"]
    assert runs[1]["log"] == ["ValueError: boom"]


def test_a_function_that_is_stopped_or_answers_no_json(room: Room, cloud: Cloud) -> None:
    """The planned fault ends the run as on AWS; an answer that is no JSON fails it; an interrupt goes on to the cell."""
    told = room.do(
        """
        shop = Shop(cloud)
        url = shop.new_queue("1")
        cloud.faults.stop_worker(before="sqs:ListQueues")
        stopped = cloud.poll_once(url, lambda event, context: boto3.client("sqs").list_queues())
        cloud.clock.advance(30)
        odd = cloud.poll_once(url, lambda event, context: object())
        cloud.clock.advance(30)
        result = [type(stopped.error).__name__, len(stopped.kept), type(odd.error).__name__]
        """
    )
    assert told == ["WorkerStopped", 1, "TypeError"]
    assert [step["run"]["result"] for step in cloud.trace if step["kind"] == "run_end"] == ["died", "error"]
    with pytest.raises(Failed) as interrupted:
        room.do("def handler(event, context): raise KeyboardInterrupt\ncloud.poll_once(url, handler)")
    assert interrupted.value.name == "KeyboardInterrupt"
    with pytest.raises(Failed) as wrong:
        room.do("cloud.poll_once(url, print, no_such_option=1)")
    assert wrong.value.name == "TypeError"


def test_faults_are_planned_in_the_cloud(room: Room, cloud: Cloud) -> None:
    """Each kind, with what it is planned for; a fault that cannot happen is refused; they are cleared and set aside."""
    told = room.do(
        """
        faults = cloud.faults
        made = [faults.throttle("sqs:*", times=2), faults.lose_response("sqs:SendMessage", on=3),
                faults.stop_worker(after="s3:PutObject"), faults.deliver_again(), faults.reorder(on=2), faults.delay_event(5)]
        faults.plan(7, throttle=0.0)
        result = [[fault.kind for fault in made], [vars(fault) for fault in faults.planned], repr(faults)]
        """
    )
    assert told[0] == [fault.kind for fault in cloud.faults.planned]
    assert told[1] == [vars(fault) for fault in cloud.faults.planned]
    assert told[2] == repr(cloud.faults)
    with pytest.raises(Failed) as refused:
        room.do("faults.throttle('sqs:NoSuch')")
    assert refused.value.name == "FaultError"
    with pytest.raises(Failed) as refused:
        room.do("faults.throttle(object())")
    assert refused.value.name == "FaultError"
    with pytest.raises(Failed) as refused:
        room.do("faults.throttle()")
    assert refused.value.name == "TypeError"
    assert room.do(
        "with faults.set_aside():\n    result = [len(faults.planned)]\nresult.append(len(faults.planned))"
    ) == [0, 6]
    room.do("faults.clear()")
    assert cloud.faults.planned == []


@pytest.mark.parametrize(
    "head",
    [
        None,
        {"do": ["now"]},
        {"do": "__class__"},
        {"do": "close"},
        {"do": "ask", "head": {"do": "now"}},
        {"do": "fault", "name": "__init__", "arguments": [], "named": {}},
        {"do": "fault", "name": "_plan", "arguments": [], "named": {}},
        {"do": "trace_steps", "number": 99, "since": 0},
        {"do": "trace_steps", "number": [1], "since": 0},
        {"do": "now", "more": 1},
        {"do": "trace_data", "number": 0, "named": {"self": 1}},
        {"do": "settle", "rounds": "many"},
    ],
)
@pytest.mark.usefixtures("cloud")
def test_nothing_else_can_be_asked(room: Room, head: object) -> None:
    """An operation that is not on the list, or asked for in another way, is an error; nothing is reached by its name."""
    told = room.do(f"head, body = connected._peer.call('cloud', {head!r}); result = [head, body.decode()]")

    assert told[0]["error"][0] in ("TypeError", "AttributeError", "KeyError")
    assert told[1] == ""


def test_a_lock_is_held_by_the_candidate_alone(room: Room, cloud: Cloud) -> None:
    """Who never lets go of it stops nobody else."""
    room.do("cloud.lock.acquire()")
    thread = threading.Thread(target=boto3.client("sqs").list_queues)
    thread.start()
    thread.join(10)
    assert not thread.is_alive()


@pytest.mark.usefixtures("cloud")
def test_the_view_is_a_few_lines(room: Room) -> None:
    """It tells what the trace tells."""
    assert "pedidos" in room.do("Shop(cloud); result = repr(cloud.view())")


def test_a_second_start_goes_on_with_the_source_s_cloud(room: Room, cloud: Cloud) -> None:
    """In Jupyter a student's own start empties the cloud; graded, what the tests need stays, and the student is told."""
    shop = Shop(cloud)
    room.do("again = bentocola.start('es'); again.trace.steps; again.stop(); again.stop()")

    assert "start()" in room.printed
    assert running() is cloud
    assert shop.items(shop.table) == []
    assert room.do(
        "other = bentocola.start('ja'); result = [other.edition, len(boto3.client('sqs').list_queues()['QueueUrls'])]"
    ) == ["es", 1]
    with pytest.raises(Failed) as refused:
        room.do("bentocola.start('en')")
    assert refused.value.name == "UnknownEditionError"


def test_without_a_set_up_cell_a_start_is_the_student_s(room: Room) -> None:
    """A source that starts no cloud: the candidate's start makes one in the examiner, a second begins anew, stop ends it."""
    room.new()
    room.do(START + "sqs = boto3.client('sqs'); sqs.create_queue(QueueName='mine')")
    assert len(boto3.client("sqs").list_queues()["QueueUrls"]) == 1
    assert room.do("result = bentocola.start('ja').edition") == "ja"
    assert translate("ja", "A local cloud was running already. This one starts empty in its place.") in room.printed
    assert "QueueUrls" not in boto3.client("sqs").list_queues()
    room.do("cloud.stop()")
    assert running() is None
    with pytest.raises(Failed, match="NoCloud"):
        room.do("sqs.list_queues()")
    with pytest.raises(Failed) as none:
        room.do("cloud.clock.now()")
    assert none.value.name == "CourseError"


def test_a_start_beside_the_source_s_mock_is_refused(room: Room) -> None:
    """It would empty what moto holds for the tests."""
    room.new()
    mock_aws().start()
    boto3.client("sqs").create_queue(QueueName="kept")
    with pytest.raises(Failed) as refused:
        room.do(START)
    assert refused.value.name == "CourseError"
    assert boto3.client("sqs").list_queues()["QueueUrls"]


def test_checks_and_shop_work_in_the_candidate(room: Room, cloud: Cloud) -> None:
    """A test that runs in the candidate, because it cannot run apart, has the frame and the shop of the course."""
    room.do(
        """
        from bentocola.checks import check
        shop = Shop(cloud)
        def waiting(url):
            return shop.waiting(url)
        with check(cloud, "waiting", 2) as test:
            url = shop.new_queue("1", "2")
            test.equal(waiting(url), 2)
        print(repr(test.result), test.result)
        with check(cloud, "waiting", 2) as test:
            test.equal(waiting(url), 3)
        print(repr(test.result), test.result)
        """
    )
    passed, failed, *_ = room.printed.splitlines()
    assert passed.startswith("2 ✓ ")
    assert failed.startswith("0 ✗")
    assert len(boto3.client("sqs").list_queues()["QueueUrls"]) == 2


def test_what_lessons_use_works_in_the_candidate(room: Room, cloud: Cloud) -> None:
    """Drawing a trace, a try-out, an answer to a question, and the check of the installation."""
    room.do(
        """
        from bentocola.views.stepper import Stepper
        from bentocola.checks.tryout import tryout
        from bentocola.selfcheck import selfcheck
        Shop(cloud)
        shown = repr(Stepper(cloud.trace))
        tryout(cloud, len, [("ab", 2)])
        selfcheck(cloud)
        result = shown
        """
    )
    assert room.printed.count("✓") == 6
    assert "✗" not in room.printed


# While a test runs


@pytest.mark.parametrize(
    "asked",
    [
        "cloud.faults.clear()",
        "cloud.faults.throttle('sqs:*')",
        "cloud.faults.set_aside().__enter__()",
        "cloud.record().__enter__()",
        "cloud.trace.clear()",
        "trace.clear()",
    ],
)
def test_faults_and_trace_are_the_test_s_while_it_runs(room: Room, cloud: Cloud, asked: str) -> None:
    """What a test plans strikes, and all that the student's code does then is told in the trace."""
    room.do("with cloud.record() as trace: pass")
    with room.gate.testing():
        cloud.faults.lose_response("dynamodb:PutItem")
        before = len(cloud.trace)
        with pytest.raises(Failed) as refused:
            room.do(asked)
        assert refused.value.name == "CourseError"
        assert [fault.kind for fault in cloud.faults.planned] == ["lost_response"]
        assert len(cloud.trace) == before


def test_what_a_cell_left_open_ends_before_the_test(room: Room, cloud: Cloud) -> None:
    """Faults that it set aside do not come back in the midst of it, and no step goes into a trace of its own."""
    room.do("""
        left = cloud.faults.set_aside(), cloud.record()
        for block in left:
            block.__enter__()
        """)
    with room.gate.testing():
        cloud.faults.throttle("sqs:*")
        room.do("boto3.client('s3').create_bucket(Bucket='avisos')")
        assert "CreateBucket" in str(cloud.trace.steps)
        with pytest.raises(Failed):
            room.do("left[0].__exit__(None, None, None)")
        assert [fault.kind for fault in cloud.faults.planned] == ["throttle"]


def test_time_and_polling_go_on_while_a_test_runs(room: Room, cloud: Cloud) -> None:
    """To let time pass is to wait, which code may do; and all can be read."""
    room.do("queue_url = boto3.client('sqs').create_queue(QueueName='q')['QueueUrl']")
    before = cloud.clock.now()
    with room.gate.testing():
        room.do("""
            cloud.clock.advance(30)
            cloud.poll_once(queue_url, lambda event, context: None)
            result = [len(cloud.trace), len(cloud.faults.planned), str(cloud.clock.now())]
            """)
    assert 30 <= (cloud.clock.now() - before).total_seconds() < 31
    room.do("cloud.trace.clear(); cloud.faults.clear()")
