"""Which addresses `aws` may be given, and which of several it takes."""

from __future__ import annotations

import pytest

from bentocola.cli.aws.loopback import check, endpoint_for
from bentocola.cli.language import CommandError
from bentocola.cli.surroundings import prepared

COURSE = "http://127.0.0.1:5000"
ELSEWHERE = "https://sqs.eu-west-1.amazonaws.com"
OTHER = "http://localhost:4566"


@pytest.mark.parametrize(
    "address", ["http://127.0.0.1:1", "http://localhost", "http://[::1]:5", "https://a.localhost:1/x"]
)
def test_loopback(address: str) -> None:
    """Each name of this machine."""
    assert check(address) == address


@pytest.mark.parametrize(
    "address",
    [
        ELSEWHERE,
        "http://10.0.0.1:5000",
        "http://127.0.0.1@evil.example",
        "http://localhost.evil.example",
        "evil.example",
    ]
    + ["http://0.0.0.0:5000", "http://169.254.169.254/", "http://", "", "//evil.example", "http://[::2]/"],
)
def test_elsewhere(address: str) -> None:
    """Another machine, and whatever is no address of this one."""
    with pytest.raises(CommandError):
        check(address)


@pytest.mark.parametrize(
    ("command", "given", "variables", "profile", "expected"),
    [
        ("sqs", None, {}, {}, COURSE),
        ("sqs", OTHER, {"AWS_ENDPOINT_URL": COURSE}, {}, OTHER),
        ("sqs", None, {"AWS_ENDPOINT_URL": OTHER}, {}, OTHER),
        ("sqs", None, {"AWS_ENDPOINT_URL": COURSE, "AWS_ENDPOINT_URL_SQS": OTHER}, {}, OTHER),
        ("s3api", None, {"AWS_ENDPOINT_URL_SQS": OTHER}, {}, COURSE),
        ("s3api", None, {"AWS_ENDPOINT_URL_S3": OTHER}, {}, OTHER),
        ("logs", None, {"AWS_ENDPOINT_URL_CLOUDWATCH_LOGS": OTHER}, {}, OTHER),
        ("sqs", None, {"AWS_ENDPOINT_URL": ""}, {"region": "eu-west-1"}, COURSE),
    ],
)
def test_order_of_precedence(
    command: str, given: str | None, variables: dict[str, str], profile: dict[str, str], expected: str
) -> None:
    """The option, the service's variable, the variable for all, the course's."""
    assert endpoint_for(command, given, variables, profile, COURSE) == expected


@pytest.mark.parametrize(
    ("given", "variables", "profile"),
    [
        (ELSEWHERE, {}, {}),
        (None, {"AWS_ENDPOINT_URL": ELSEWHERE}, {}),
        (None, {"AWS_ENDPOINT_URL_S3": ELSEWHERE}, {}),
        (None, {}, {"endpoint_url": ELSEWHERE}),
        (None, {}, {"services": {"sqs": {"endpoint_url": ELSEWHERE}}}),
    ],
)
def test_whatever_names_another_machine_is_refused(
    given: str | None, variables: dict[str, str], profile: dict[str, object]
) -> None:
    """Also where it would not be used: who set it believes that it is."""
    with pytest.raises(CommandError, match="amazonaws"):
        endpoint_for("sqs", given, variables, profile, COURSE)


def test_environment() -> None:
    """The person's own AWS settings are set aside, their others stay, and proxies are passed by."""
    own = {"AWS_PROFILE": "school", "aws_x": "1", "HOME": "/h", "http_proxy": "http://p", "no_proxy": "corp"}
    there = prepared(own, {"AWS_ACCESS_KEY_ID": "AKIA"})

    assert there == {
        "HOME": "/h",
        "http_proxy": "http://p",
        "no_proxy": "corp,127.0.0.1,localhost,::1",
        "NO_PROXY": "127.0.0.1,localhost,::1",
        "AWS_ACCESS_KEY_ID": "AKIA",
    }
