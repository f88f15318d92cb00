"""Clients while schedules are played: the same one for the same question, and never one that somebody changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.stub import Stubber

from bentocola.checks import clients

ASKED: dict[str, Callable[[], Any]] = {
    "a client": lambda: boto3.client("sqs"),
    "a resource": lambda: boto3.resource("dynamodb"),
    "a resource, whose tables register their own": lambda: boto3.resource("dynamodb").Table("t").meta.client,
    "with settings": lambda: boto3.client("sqs", config=Config(retries={"max_attempts": 2})),
    "by name": lambda: boto3.client(service_name="sqs", region_name="eu-west-1"),
}


@pytest.fixture(autouse=True)
def _cloud(one_cloud: Any) -> None:
    boto3.client("sqs")


@pytest.mark.parametrize("ask", ASKED.values(), ids=ASKED)
def test_the_same_question_gets_the_same_client(ask: Callable[[], Any]) -> None:
    """Within the block; outside of it boto3 makes a new one each time, as ever."""
    with clients.kept():
        first, second = ask(), ask()

    assert first is second
    assert ask() is not ask()


@pytest.mark.parametrize(
    "other",
    [
        lambda: boto3.client("dynamodb"),
        lambda: boto3.client("sqs", region_name="eu-west-1"),
        lambda: boto3.client("sqs", config=Config(retries={"max_attempts": 2})),
        lambda: boto3.Session().client("sqs"),
    ],
    ids=["service", "region", "settings", "session"],
)
def test_another_question_gets_another_client(other: Callable[[], Any]) -> None:
    """A service, a region, settings or a session of its own."""
    with clients.kept():
        assert boto3.client("sqs") is not other()


def test_another_region_in_the_environment_gets_another_client(monkeypatch: pytest.MonkeyPatch) -> None:
    """What boto3 reads from the environment is part of the question."""
    with clients.kept():
        before = boto3.client("sqs")
        monkeypatch.setenv("AWS_ENDPOINT_URL_SQS", "http://127.0.0.1:1")

        assert boto3.client("sqs") is not before


def test_another_default_session_has_clients_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever sets one up with another region gets clients for it."""
    with clients.kept():
        before = boto3.client("sqs")
        monkeypatch.setattr(boto3, "DEFAULT_SESSION", boto3.Session(region_name="eu-west-1"))

        assert boto3.client("sqs").meta.region_name == "eu-west-1" != before.meta.region_name


def _counts(**named: Any) -> None:
    pass


@pytest.mark.parametrize(
    "change",
    [
        lambda client: setattr(client, "send_message", None),
        lambda client: client.meta.events.register("before-call", _counts),
        lambda client: client.meta.events.register_first("before-call", _counts),
        lambda client: client.meta.events.register_last("before-call", _counts),
        lambda client: Stubber(client).activate(),
    ],
    ids=["an attribute", "a handler", "a first handler", "a last handler", "a stub"],
)
def test_a_client_that_was_changed_is_given_to_nobody_else(change: Callable[[Any], object]) -> None:
    """Its change would last into the next schedule otherwise."""
    with clients.kept():
        client = boto3.client("sqs")
        change(client)

        assert boto3.client("sqs") is not client
        assert callable(boto3.client("sqs").send_message)


def test_boto3_is_itself_again_after_an_error() -> None:
    """Whatever ends the block."""
    before = boto3.Session.client, boto3.Session.resource

    with pytest.raises(ZeroDivisionError), clients.kept():
        raise ZeroDivisionError

    assert (boto3.Session.client, boto3.Session.resource) == before
