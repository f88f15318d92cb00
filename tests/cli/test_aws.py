"""`bentocola aws`: awscli on the local cloud, warm and cold alike, with version 2's ways and nothing that leaves the machine."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any
from urllib.request import ProxyHandler, build_opener

import pytest

from tests.cli.conftest import Served

pytestmark = pytest.mark.slow

FROM_FILE = "file:" + "//"  # how awscli is told to read a parameter from a file


@pytest.fixture
def cold(served: Served, tmp_path: Path) -> Path:
    """A ready file of the same cloud that names a socket where nobody answers."""
    path = tmp_path / "cold.json"
    path.write_text(json.dumps({**served.ready, "aws": str(tmp_path / "gone")}))
    return path


def test_queue(served: Served, tmp_path: Path) -> None:
    """Create, send from a file, from standard input and from the command line, receive, delete."""
    address = json.loads(served.aws("sqs", "create-queue", "--queue-name", "orders"))["QueueUrl"]
    (tmp_path / "body.json").write_text('{"customer": "Ñandú 注文"}', encoding="utf-8")
    send = ("sqs", "send-message", "--queue-url", address, "--message-body")
    served.aws(*send, f"{FROM_FILE}body.json", cwd=tmp_path)
    served.aws(*send, f"{FROM_FILE}/dev/stdin", stdin="a\nb")
    served.aws(*send, "http://127.0.0.1:9/x")
    asked = (
        "sqs",
        "receive-message",
        "--queue-url",
        address,
        "--max-number-of-messages",
        "10",
        "--query",
        "Messages[].Body",
    )
    bodies = json.loads(served.aws(*asked))

    # The last one is the text itself: version 1 would fetch it and send what it got.
    assert sorted(bodies) == sorted(['{"customer": "Ñandú 注文"}', "a\nb", "http://127.0.0.1:9/x"])
    assert served.aws("sqs", "delete-queue", "--queue-url", address) == ""


def test_items(served: Served) -> None:
    """A table, an item with a blob in base64, and what is stored of it."""
    served.aws(
        *("dynamodb", "create-table", "--table-name", "orders", "--billing-mode", "PAY_PER_REQUEST"),
        *("--attribute-definitions", "AttributeName=customer,AttributeType=S"),
        *("--key-schema", "AttributeName=customer,KeyType=HASH"),
    )
    put = ("dynamodb", "put-item", "--table-name", "orders", "--item")
    get = (
        "dynamodb",
        "get-item",
        "--table-name",
        "orders",
        "--key",
        '{"customer": {"S": "1"}}',
        "--query",
        "Item.photo.B",
    )
    served.aws(*put, '{"customer": {"S": "1"}, "photo": {"B": "aGVsbG8="}}')
    assert json.loads(served.aws(*get)) == "aGVsbG8="
    served.aws(*put, '{"customer": {"S": "1"}, "photo": {"B": "bye!"}}', "--cli-binary-format", "raw-in-base64-out")
    assert json.loads(served.aws(*get)) == "YnllIQ=="
    served.aws(
        *put, '{"customer": {"S": "1"}, "photo": {"B": "aGVsbG8="}}', "--cli-binary-format", "base64", "--no-cli-pager"
    )
    assert json.loads(served.aws(*get)) == "aGVsbG8="
    refused = served.bentocola("aws", *put, '{"customer": {"S": "1"}, "photo": {"B": "hello"}}')

    assert (refused.returncode, refused.stderr.strip()) == (255, 'Invalid base64: "hello"')


def test_objects(served: Served, tmp_path: Path) -> None:
    """`aws s3`: copy a file of some megabytes there and back, list, from standard input, to standard output."""
    content = os.urandom(9 * 2**20)
    (tmp_path / "photo").write_bytes(content)
    served.aws("s3", "mb", "s3://photos")
    served.aws("s3", "cp", "photo", "s3://photos/a/photo", cwd=tmp_path)
    served.aws("s3", "cp", "s3://photos/a/photo", "back", cwd=tmp_path)
    assert (tmp_path / "back").read_bytes() == content
    served.aws("s3", "cp", "-", "s3://photos/text", stdin="from a pipe")
    assert served.aws("s3", "cp", "s3://photos/text", "-") == "from a pipe"

    assert [line.split()[-1] for line in served.aws("s3", "ls").splitlines()] == ["photos"]
    assert [line.split()[-1] for line in served.aws("s3", "ls", "s3://photos").splitlines()] == ["a/", "text"]


def test_presigned_address(served: Served) -> None:
    """As in version 2, it is signed in the new way, and works for whoever has it."""
    served.aws("s3", "mb", "s3://presigned")
    served.aws("s3", "cp", "-", "s3://presigned/k", stdin="for everybody")
    address = served.aws("s3", "presign", "s3://presigned/k").strip()
    assert "X-Amz-Signature=" in address
    with build_opener(ProxyHandler({})).open(address, timeout=20) as response:
        assert response.read() == b"for everybody"


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (("sqs", "get-queue-url", "--queue-name", "nobody"), 255, "NonExistentQueue"),
        (("sqs", "no-such-command"), 2, "Invalid choice"),
        (("sqs", "list-queues", "--wat"), 255, "Unknown options: --wat"),
        (("ec2", "describe-instances"), 255, "ServiceNotOffered"),
        (("--profile", "school", "sqs", "list-queues"), 255, "school"),
    ],
)
@pytest.mark.parametrize("way", ["warm", "cold"])
def test_failing_command(
    served: Served, cold: Path, way: str, arguments: tuple[str, ...], status: int, said: str
) -> None:
    """The exit status and the words are awscli's, whether a warm process did it or none was there."""
    done = served.bentocola("aws", *arguments, ready_file=cold if way == "cold" else None)

    assert done.returncode == status
    assert said in done.stderr
    assert "Traceback" not in done.stderr


def test_cold_has_the_same_effect(served: Served, cold: Path) -> None:
    """Without a warm process the command runs all the same."""
    made = json.loads(served.aws("sqs", "create-queue", "--queue-name", "cold", ready_file=cold))["QueueUrl"]
    found = served.aws("sqs", "get-queue-url", "--queue-name", "cold", "--query", "QueueUrl", "--output", "text")

    assert found.strip() == made


@pytest.mark.parametrize(
    "arguments",
    [
        ("configure",),
        ("configure", "set", "region", "eu-west-1"),
        ("configure", "sso"),
        ("sso", "login"),
        ("login",),
        ("logout", "--all"),
        ("--cli-auto-prompt", "sqs", "list-queues"),
        ("--endpoint-url", "https://sqs.us-east-1.amazonaws.com", "sqs", "list-queues"),
        ("sqs", "list-queues", "--endpoint-url=http://10.0.0.1"),
        ("s3", "ls", "--endpoint-url", "http://localhost.evil.example"),
    ],
)
def test_refused(served: Served, arguments: tuple[str, ...]) -> None:
    """What would change the person's settings, or lead elsewhere, gets one sentence; their home stays as it is."""
    done = served.bentocola("aws", *arguments)

    assert done.returncode == 255
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1


def test_configure_that_only_reads(served: Served) -> None:
    """The settings in force are the course's."""
    assert "us-east-1" in served.aws("configure", "list")


def test_own_loopback_address(served: Served) -> None:
    """An explicit address of this machine is taken as it is, by its other name as well."""
    other = served.ready["endpoint"].replace("127.0.0.1", "localhost")
    served.aws("--endpoint-url", other, "sqs", "list-queues")
    command = "AWS_MAX_ATTEMPTS=1 aws --endpoint-url http://127.0.0.1:9 sqs list-queues"
    done = served.bentocola("shell", "-c", command)

    assert "http://127.0.0.1:9" in done.stderr


def test_version_tells_the_truth(served: Served) -> None:
    """It says which awscli this is."""
    assert served.aws("--version").startswith("aws-cli/1.")


def test_help(served: Served) -> None:
    """A page of help, with or without the programs that lay it out."""
    page = served.aws("sqs", "send-message", "help", env={"PATH": str(Path(sys.executable).parent), "PAGER": "cat"})

    assert "delay-seconds" in page


GROUP = "/aws/lambda/worker"


@pytest.fixture(scope="module")
def group(served: Served) -> str:
    """A log group with two events in a stream of now."""
    served.aws("logs", "create-log-group", "--log-group-name", GROUP)
    served.aws("logs", "create-log-stream", "--log-group-name", GROUP, "--log-stream-name", "one")
    now = subprocess.run(["date", "+%s000"], capture_output=True, text=True, check=True).stdout.strip()
    events = [{"timestamp": int(now) - 1, "message": "START 1"}, {"timestamp": int(now), "message": '{"customer": 1}'}]
    served.aws(
        *("logs", "put-log-events", "--log-group-name", GROUP, "--log-stream-name", "one"),
        *("--log-events", json.dumps(events)),
    )
    return GROUP


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ((), [3, 3]),
        (("--format", "short"), [2, 2]),
        (("--since", "1h", "--filter-pattern", "START"), [3]),
        (("--since", "2999-01-01"), []),
    ],
)
def test_tail(served: Served, group: str, options: tuple[str, ...], lines: list[int]) -> None:
    """Time, stream and message; in the short form without the stream; from when, and which."""
    said = served.aws("logs", "tail", group, *options)

    assert [len(line.split(None, n - 1)) for line, n in zip(said.splitlines(), lines, strict=True)] == lines
    assert ("one" in said) == (3 in lines)


def test_tail_lays_json_out(served: Served, group: str) -> None:
    """A message that is JSON begins on a line of its own."""
    assert '\n{\n    "customer": 1\n}\n' in served.aws("logs", "tail", group, "--format", "json")


@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, -signal.SIGTERM)])
@pytest.mark.parametrize("way", ["warm", "cold"])
def test_signals_reach_the_command(
    served: Served, cold: Path, group: str, way: str, number: signal.Signals, status: int
) -> None:
    """Ctrl+C ends `logs tail --follow`, and that is no failure; what kills a command is seen outside."""
    process = subprocess.Popen(
        [sys.executable, "-m", "bentocola.cli", "aws", "logs", "tail", group, "--follow"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**served.environment, "BENTOCOLA_READY_FILE": str(cold if way == "cold" else served.ready_file)},
        cwd=served.folder,
    )
    assert process.stdout is not None
    assert "START 1" in process.stdout.readline()
    process.send_signal(number)
    _, said = process.communicate(timeout=60)

    assert (process.returncode, said) == (status, "")


def test_folder_and_umask_are_handed_over(served: Served, tmp_path: Path) -> None:
    """The command works in the folder where it was started, and with the umask there."""
    served.aws("s3", "mb", "s3://umask")
    served.aws("s3", "cp", "-", "s3://umask/k", stdin="x")
    script = 'umask 077; exec "$0" -m bentocola.cli aws s3api get-object --bucket umask --key k got'
    environment = {**served.environment, "BENTOCOLA_READY_FILE": str(served.ready_file)}
    subprocess.run(["sh", "-c", script, sys.executable], env=environment, cwd=tmp_path, check=True, capture_output=True)

    assert (tmp_path / "got").stat().st_mode & 0o777 == 0o600


def test_many_at_once(served: Served) -> None:
    """Commands side by side each have their own output."""
    environment = {**served.environment, "BENTOCOLA_READY_FILE": str(served.ready_file)}
    command = [sys.executable, "-m", "bentocola.cli", "aws", "sqs", "create-queue", "--output", "text", "--queue-name"]
    processes = [
        subprocess.Popen([*command, f"many-{n}"], stdout=subprocess.PIPE, text=True, env=environment, cwd=served.folder)
        for n in range(8)
    ]
    said = [process.communicate(timeout=60)[0].strip() for process in processes]

    assert [one.rpartition("/")[2] for one in said] == [f"many-{n}" for n in range(8)]


def test_start_up_is_light() -> None:
    """What the terminal starts imports neither boto3 nor moto nor awscli."""
    code = """
    import sys
    from bentocola.cli import main, ready, surroundings
    from bentocola.cli.aws import client
    print([name for name in ("boto3", "botocore", "moto", "awscli", "socket", "subprocess", "argparse") if name in sys.modules])
    """
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(code)], capture_output=True, text=True, check=True)

    assert done.stdout.strip() == "[]"


WATCHED = """
import json, os, sys
reached = []
def watch(event, arguments):
    if event in ("socket.getaddrinfo", "socket.gethostbyname"):
        reached.append(arguments[0])
    elif event in ("socket.connect", "socket.sendto") and isinstance(arguments[1], tuple):
        reached.append(arguments[1][0])
sys.addaudithook(watch)
from bentocola.cli.aws.driver import run
status = run(json.loads(sys.argv[2]), sys.argv[1])
print(json.dumps([status, sorted({host.decode() if isinstance(host, bytes) else host for host in reached})]), file=sys.stderr)
"""


@pytest.mark.parametrize(
    ("arguments", "variables", "reached"),
    [
        (["sqs", "list-queues"], {}, True),
        (["s3", "ls"], {"AWS_PROFILE": "plain"}, True),
        (["s3", "ls", "s3://nobody"], {"AWS_PROFILE": "plain", "AWS_REGION": "eu-west-1"}, True),
        (["sts", "get-caller-identity"], {"AWS_PROFILE": "role"}, True),
        (["sqs", "list-queues"], {"AWS_PROFILE": "sso"}, False),
        (["sqs", "list-queues"], {"AWS_PROFILE": "metadata"}, False),
        (["sqs", "list-queues"], {"AWS_PROFILE": "address"}, False),
        (["sqs", "list-queues"], {"AWS_ENDPOINT_URL": "https://evil.example"}, False),
        (["s3", "ls", "--endpoint-url", "https://s3.amazonaws.com"], {}, False),
        (["s3", "ls", "--no-sign-request", "s3://commoncrawl"], {}, True),
        (
            ["dynamodb", "list-tables"],
            {"AWS_PROFILE": "container", "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI": "/x"},
            False,
        ),
    ],
)
def test_no_socket_leads_elsewhere(
    served: Served, tmp_path: Path, arguments: list[str], variables: dict[str, str], reached: bool
) -> None:
    """Even where somebody sets AWS's variables in the shell, to profiles that would ask other machines for keys."""
    (tmp_path / "config").write_text(
        "[profile plain]\nregion = us-east-1\n"
        "[profile role]\nrole_arn = arn:aws:iam::123456789012:role/r\nsource_profile = plain\n"
        "[profile sso]\nsso_start_url = https://school.awsapps.com/start\nsso_region = eu-west-1\n"
        "sso_account_id = 123456789012\nsso_role_name = r\n"
        "[profile metadata]\nrole_arn = arn:aws:iam::123456789012:role/r\ncredential_source = Ec2InstanceMetadata\n"
        "[profile address]\nendpoint_url = https://sqs.eu-west-1.amazonaws.com\n"
        "[profile container]\nregion = us-east-1\n"
    )
    (tmp_path / "credentials").write_text("[plain]\naws_access_key_id = AKIA\naws_secret_access_key = x\n")
    files = {"AWS_CONFIG_FILE": str(tmp_path / "config"), "AWS_SHARED_CREDENTIALS_FILE": str(tmp_path / "credentials")}
    course: dict[str, Any] = served.ready["environment"]
    kept = {name: value for name, value in served.environment.items() if not name.startswith("AWS_")}
    environment = {**kept, **course, **(files if "AWS_PROFILE" in variables else {}), **variables}
    if "AWS_PROFILE" in variables:  # as with keys of one's own, which come before a profile's
        del environment["AWS_ACCESS_KEY_ID"], environment["AWS_SECRET_ACCESS_KEY"]
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, served.ready["endpoint"], json.dumps(arguments)],
        capture_output=True,
        text=True,
        env=environment,
        cwd=tmp_path,
        timeout=120,
        check=False,
    )
    status, hosts = json.loads(done.stderr.splitlines()[-1])

    assert set(hosts) <= {"127.0.0.1", "localhost"}, done.stderr
    assert (hosts != []) == reached, done.stderr
    assert reached or status != 0
