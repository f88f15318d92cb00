"""`mock_aws` in a candidate: each form leads to the examiner, where it starts, empties and ends nothing of the source's."""

from __future__ import annotations

import boto3
import pytest
from moto import mock_aws
from moto.core.models import MockAWS
from moto.utilities.docker_utilities import DockerModel

import bentocola
from bentocola.cloud.cloud import running
from tests.autograder.aws_rooms import Failed, Room, examiner, room

__all__ = ["examiner", "room"]
pytestmark = pytest.mark.usefixtures("examiner")

KEYS = 'import boto3, os; os.environ.update(AWS_DEFAULT_REGION="us-east-1")\nfrom moto import mock_aws\n'
FORMS = {
    "context": "with mock_aws():\n    result = make()",
    "start and stop": "mock = mock_aws(); mock.start(); result = make(); mock.stop()",
    "decorator": "@mock_aws\ndef function():\n    return make()\nresult = function()",
    "decorator with brackets": "@mock_aws()\ndef function():\n    return make()\nresult = function()",
    "nested": "with mock_aws():\n    with mock_aws():\n        make()\n    result = make()",
    "class": """
import unittest
@mock_aws
class Case(unittest.TestCase):
    def test_it(self):
        global result
        result = make()
assert unittest.TextTestRunner(stream=open(os.devnull, "w")).run(Case("test_it")).wasSuccessful()
""",
    "async": """
import asyncio
async def function():
    with mock_aws():
        return make()
result = asyncio.run(function())
""",
    "with credentials of one's own": (
        "os.environ.update(AWS_ACCESS_KEY_ID='k', AWS_SECRET_ACCESS_KEY='s')\n"
        "with mock_aws(config={'core': {'mock_credentials': False}}):\n    result = make()"
    ),
}
MAKE = KEYS + (
    "def make():\n"
    "    sqs = boto3.client('sqs')\n"
    "    sqs.create_queue(QueueName='mine')\n"
    "    return sorted(url.rpartition('/')[2] for url in sqs.list_queues()['QueueUrls'])\n"
)


def queues() -> list[str]:
    """The queues that the examiner sees."""
    return sorted(url.rpartition("/")[2] for url in boto3.client("sqs").list_queues().get("QueueUrls", []))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kind", ["bentocola", "mock_aws"])
def test_each_form_finds_what_the_source_s_cloud_holds(room: Room, kind: str, form: str) -> None:
    """A student's own mock begins inside of the source's, as in Jupyter: nothing is emptied when it starts, or when it ends."""
    room.new()
    if kind == "bentocola":
        bentocola.start("es")
    else:
        mock_aws().start()
    boto3.client("sqs").create_queue(QueueName="source")

    assert room.do(MAKE + FORMS[form]) == ["mine", "source"]
    assert queues() == ["mine", "source"]
    assert room.do(
        MAKE + "mock = mock_aws(); mock.start(); mock.reset(); result = make(); mock.stop(); mock.reset()"
    ) == ["mine", "source"]


@pytest.mark.parametrize("form", FORMS)
def test_each_form_works_where_the_source_starts_nothing(room: Room, form: str) -> None:
    """Then it is the candidate's own: empty when it begins, gone when it ends, and a call afterwards is refused."""
    room.new()
    assert room.do(MAKE + FORMS[form]) == ["mine"]
    assert MockAWS._nested_count == 0
    with pytest.raises(Failed, match="NoCloud"):
        room.do(
            "os.environ.update(AWS_ACCESS_KEY_ID='k', AWS_SECRET_ACCESS_KEY='s')\nboto3.client('sqs').list_queues()"
        )
    assert room.do(
        MAKE
        + "with mock_aws():\n    boto3.client('sqs').create_queue(QueueName='a')\nwith mock_aws():\n    result = make()"
    ) == ["mine"]


def test_what_the_candidate_keeps_on_is_there_for_a_test(room: Room) -> None:
    """A student's cell starts the mock and leaves it on: a test cell, whose client is the examiner's, sees what it holds."""
    room.new()
    room.do(MAKE + "mock = mock_aws(); mock.start(); make()")
    assert queues() == ["mine"]
    with mock_aws():  # as a test may begin: within it, and so nothing is emptied
        assert queues() == ["mine"]
    assert queues() == ["mine"]
    room.do("mock.reset()")
    assert queues() == []
    room.do("mock.stop()")
    assert MockAWS._nested_count == 0


def test_stopping_the_source_s_mock_stops_nothing(room: Room) -> None:
    """A student calls `stop` on the mock that the set-up cell started: calls go on to where the tests look."""
    room.new()
    names = room.locked(
        KEYS + "mock = mock_aws(); mock.start(); url = boto3.client('sqs').create_queue(QueueName='source')['QueueUrl']"
    )
    told = room.do(
        """
        mock.stop()
        os.environ.update(AWS_ACCESS_KEY_ID="k", AWS_SECRET_ACCESS_KEY="s")
        result = len(boto3.client("sqs").list_queues()["QueueUrls"])
        """
    )
    assert told == 1
    assert queues() == ["source"]
    with pytest.raises(Failed, match=r"stop\(\) before start\(\)"):
        room.do("mock_aws().stop()")
    assert queues() == ["source"]
    names["mock"].stop()
    assert MockAWS._nested_count == 0


def test_a_mock_beside_the_course_s_cloud_is_none(room: Room) -> None:
    """It changes nothing in the examiner: the cloud runs on, and moto's own mocks stay off."""
    room.new()
    cloud = bentocola.start("es")
    room.do(MAKE + "mock_aws().start(); make()")
    assert running() is cloud
    assert MockAWS._nested_count == 0


def test_no_container_is_started(room: Room) -> None:
    """moto would run a function in docker, outside of every jail: under moto alone it is refused with a sentence."""
    room.new()
    mock_aws().start()
    with pytest.raises(Failed, match="NoContainers"):
        room.do(KEYS + "with mock_aws():\n    boto3.client('lambda').invoke(FunctionName='f', Payload=b'{}')")
    with pytest.raises(RuntimeError, match="container"):
        _ = DockerModel().docker_client
