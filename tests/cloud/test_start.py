"""`bentocola.start`: what it says, what it sets aside, what `stop` puts back, and what it does about bad use."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import boto3
import moto
import moto.core.utils
import pytest
from botocore.httpsession import URLLib3Session
from moto.s3 import notifications
from moto.sqs import models as sqs_models

import bentocola
from bentocola.cloud.cloud import TESTED_MOTO, Cloud
from bentocola.cloud.door import OFFERED
from bentocola.errors import CourseError, UnknownEditionError, UntestedMotoError

OWN = {
    "AWS_PROFILE": "school",
    "AWS_REGION": "eu-west-1",
    "AWS_DEFAULT_REGION": "eu-west-3",
    "AWS_ENDPOINT_URL": "http://localhost:4566",
    "AWS_ENDPOINT_URL_SQS": "http://localhost:9324",
    "AWS_CA_BUNDLE": "/nowhere/bundle.pem",
    "AWS_ACCESS_KEY_ID": "AKIAREALREALREALREAL",
    "AWS_SECRET_ACCESS_KEY": "a-real-secret",
    "AWS_SESSION_TOKEN": "a-real-token",
    "AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://169.254.170.2/credentials",
}
SENTENCE = "Tu configuración de AWS ({}) sigue como estaba, y este cuaderno no la usa.\n"
AGAIN = "Ya había una nube local en marcha. Esta empieza vacía y ocupa su lugar.\n"


@pytest.fixture(autouse=True)
def _stopped_afterwards() -> Iterator[None]:
    """No test leaves a cloud running."""
    yield
    from bentocola.cloud import cloud

    if cloud._running is not None:
        cloud._running.stop()


@pytest.fixture
def own_settings(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """A student's own variables. Returns the whole environment as it then is."""
    for name, value in OWN.items():
        monkeypatch.setenv(name, value)
    return environment()


def environment() -> dict[str, str]:
    """Return the environment, without what pytest itself changes while a test runs."""
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


def looked_after() -> dict[str, Any]:
    """What a start changes in the process, as it is now."""
    return {
        "environment": environment(),
        "session": boto3.DEFAULT_SESSION,
        "wire": URLLib3Session.send,
        "clock": moto.core.utils.datetime,
        "receive": sqs_models.SQSBackend.receive_message,
        "visible": sqs_models.Message.visible,
        "event": getattr(notifications, "_get_s3_event", None),
        "send": getattr(notifications, "send_event", None),
    }


def test_start_says_nothing_when_there_is_nothing_to_say(capfd: pytest.CaptureFixture[str]) -> None:
    """On a clean machine a start prints nothing, on stderr least of all."""
    bentocola.start("es")

    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("edition", "shown"),
    [
        (
            "es",
            "Nube local: S3, SQS, Lambda, DynamoDB, CloudWatch Logs, IAM, STS. "
            "Cuenta 123456789012, región us-east-1. Nada sale de este equipo.",
        ),
        (
            "ja",
            "手元のクラウド：S3、SQS、Lambda、DynamoDB、CloudWatch Logs、IAM、STS。"
            "アカウント123456789012、リージョンus-east-1。このパソコンの外には何も出ません。",
        ),
    ],
)
def test_cloud_shows_itself_in_a_sentence(edition: str, shown: str) -> None:
    """The cell that ends with the cloud shows what it is, in the edition's language, and every service that it offers."""
    assert repr(bentocola.start(edition)) == shown
    assert [name for name in OFFERED.values() if name not in shown] == []


def test_import_costs_nothing() -> None:
    """`import bentocola` alone loads neither boto3 nor moto, and says nothing."""
    program = "import sys, bentocola; print([name for name in ('boto3', 'botocore', 'moto') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_fresh_process_says_nothing_on_stderr() -> None:
    """In a process of its own, with every warning on, a start and a first call print nothing but what they are asked to."""
    program = "import bentocola; cloud = bentocola.start('es'); import boto3; boto3.client('s3').create_bucket(Bucket='tienda')"
    done = subprocess.run([sys.executable, "-W", "default", "-c", program], capture_output=True, text=True, check=True)

    assert (done.stdout, done.stderr) == ("", "")


# A student's own settings


def test_own_settings_are_named_and_never_shown(
    own_settings: dict[str, str], home: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    """One sentence names the variables and files that are not used; no value of theirs appears anywhere."""
    (home / ".aws").mkdir()
    (home / ".aws" / "config").write_text("[default]\nregion = eu-west-1\n")
    bentocola.start("es")
    out, err = capfd.readouterr()

    assert out == SENTENCE.format(", ".join([*sorted(OWN), "~/.aws/config"]))
    assert err == ""


def test_own_settings_are_named_in_japanese(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """In the Japanese edition the sentence is Japanese."""
    monkeypatch.setenv("AWS_PROFILE", "school")
    bentocola.start("ja")

    assert (
        capfd.readouterr().out == "お使いのAWSの設定（AWS_PROFILE）は、そのままです。このノートブックでは使いません。\n"
    )


def test_own_settings_are_not_in_force(own_settings: dict[str, str]) -> None:
    """Region, keys and endpoint are the local cloud's."""
    bentocola.start("es")
    client = boto3.client("sqs")

    assert client.meta.region_name == "us-east-1"
    assert client.meta.endpoint_url == "https://sqs.us-east-1.amazonaws.com"
    assert boto3.Session().get_credentials().token is None
    assert client.list_queues()["ResponseMetadata"]["HTTPStatusCode"] == 200


def test_stop_puts_the_environment_back(own_settings: dict[str, str]) -> None:
    """After the stop every variable is as it was, set or not."""
    bentocola.start("es").stop()

    assert environment() == own_settings


def test_stop_takes_away_what_was_set_meanwhile(own_settings: dict[str, str]) -> None:
    """An AWS variable that a cell set or removed meanwhile does not outlive the cloud."""
    cloud = bentocola.start("es")
    os.environ["AWS_PROFILE"] = "other"
    os.environ["AWS_SESSION_TOKEN"] = "other"
    del os.environ["AWS_DEFAULT_REGION"]
    cloud.stop()

    assert environment() == own_settings


def test_own_files_are_untouched(home: Path) -> None:
    """The files in ~/.aws have the same bytes and the same times afterwards, and there are no new ones."""
    folder = home / ".aws"
    folder.mkdir()
    for name in ("config", "credentials"):
        (folder / name).write_text("[default]\nregion = eu-west-1\n")

    def state() -> list[tuple[str, bytes, int]]:
        return [(path.name, path.read_bytes(), path.stat().st_mtime_ns) for path in sorted(folder.iterdir())]

    before = state()
    cloud = bentocola.start("es")
    boto3.client("s3").create_bucket(Bucket="tienda")
    cloud.stop()

    assert state() == before


def test_stop_brings_the_default_session_back() -> None:
    """The default session that was there is there again: the very same."""
    boto3.setup_default_session(region_name="eu-west-1")
    before = boto3.DEFAULT_SESSION
    cloud = bentocola.start("es")
    boto3.client("s3")
    during = boto3.DEFAULT_SESSION
    cloud.stop()

    assert during is not before
    assert boto3.DEFAULT_SESSION is before


def test_stop_leaves_no_default_session_where_there_was_none() -> None:
    """None is brought back as none."""
    cloud = bentocola.start("es")
    boto3.client("s3")
    cloud.stop()

    assert boto3.DEFAULT_SESSION is None


def test_stop_puts_the_wire_away() -> None:
    """botocore sends by itself again."""
    before = URLLib3Session.send
    bentocola.start("es").stop()

    assert URLLib3Session.send is before


# Start twice


def test_second_start_says_so_and_is_empty(capfd: pytest.CaptureFixture[str]) -> None:
    """A second start is allowed: one sentence, and nothing of the first is left."""
    first = bentocola.start("es")
    boto3.client("s3").create_bucket(Bucket="tienda")
    first.clock.advance(30)
    second = bentocola.start("es")

    assert capfd.readouterr() == (AGAIN, "")
    assert len(second.trace) == 0
    assert second.clock.elapsed_ms() == 0
    assert boto3.client("s3").list_buckets()["Buckets"] == []


def test_clients_of_the_first_start_work_after_the_second() -> None:
    """A client that a cell made earlier talks to the new cloud, and is in its trace."""
    bentocola.start("es")
    client = boto3.client("s3")
    second = bentocola.start("es")
    client.create_bucket(Bucket="tienda")

    assert [step["api"] for step in second.trace] == ["s3:CreateBucket"]


def test_second_start_may_change_the_edition() -> None:
    """The second start may be in the other language."""
    bentocola.start("es")

    assert bentocola.start("ja").names.queue == "bento-orders"


def test_stop_after_a_second_start_restores_the_first_state(own_settings: dict[str, str]) -> None:
    """Two starts and one stop: the student's environment and session, not those of the first cloud."""
    bentocola.start("es")
    bentocola.start("es").stop()

    assert environment() == own_settings
    assert boto3.DEFAULT_SESSION is None


def test_stop_of_a_replaced_cloud_changes_nothing(own_settings: dict[str, str]) -> None:
    """The first cloud has ended already: its stop must not open the way out under the second one."""
    first = bentocola.start("es")
    bentocola.start("es")
    before = looked_after()
    first.stop()

    assert looked_after() == before
    assert os.environ["AWS_ACCESS_KEY_ID"] == "AKIABENTOCOLASTUDENT"


def test_stop_twice(own_settings: dict[str, str]) -> None:
    """A second stop finds nothing to do, even when the student has set something in between."""
    cloud = bentocola.start("es")
    cloud.stop()
    os.environ["AWS_PROFILE"] = "other"
    cloud.stop()

    assert os.environ["AWS_PROFILE"] == "other"


# An unknown edition


@pytest.mark.parametrize("edition", ["fr", "ES", "", None, 1, [], {}, ("es",)], ids=repr)
def test_unknown_edition(edition: Any) -> None:
    """Whatever is passed, one sentence in each language says what is expected and what came."""
    before = looked_after()
    with pytest.raises(UnknownEditionError) as refusal:
        bentocola.start(edition)

    assert str(refusal.value) == (
        f'start() espera una de estas ediciones: "es", "ja". Recibió {edition!r}.\n'
        f'start()に渡せるのは"es", "ja"のどれかです。渡した値は{edition!r}です。'
    )
    assert isinstance(refusal.value, CourseError)
    assert isinstance(refusal.value, ValueError)
    assert looked_after() == before


def test_unknown_edition_leaves_the_running_cloud() -> None:
    """A mistyped edition does not end the cloud that runs."""
    bentocola.start("es")
    boto3.client("s3").create_bucket(Bucket="tienda")
    with pytest.raises(UnknownEditionError):
        bentocola.start("fr")

    assert [bucket["Name"] for bucket in boto3.client("s3").list_buckets()["Buckets"]] == ["tienda"]


# Another moto


def test_tested_moto_is_the_installed_one() -> None:
    """The version that the tests run with is the one that the course says it was tested with."""
    assert moto.__version__ == TESTED_MOTO


def test_unknown_moto_that_breaks_nothing(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """With a newer moto in which everything is in its place, the cloud starts and says nothing."""
    monkeypatch.setattr(moto, "__version__", "99.0.0")

    assert isinstance(bentocola.start("es"), Cloud)
    assert capfd.readouterr() == ("", "")


def _takes_another_argument(account_id: str, event_name: Any, bucket: Any, key: Any, version: Any) -> None:
    """What a later moto might make of a function that is amended."""


@pytest.mark.parametrize(
    ("module", "name", "value", "broken"),
    [
        (notifications, "_get_s3_event", None, "s3_events (AttributeError: "),
        (notifications, "send_event", None, "s3_events (AttributeError: "),
        (notifications, "send_event", _takes_another_argument, "s3_events (TypeError: send_event takes "),
        (sqs_models.Message, "visible", None, "sqs_store (AttributeError: "),
        (moto.core.utils, "datetime", None, "clock (TypeError: "),
        (sqs_models.SQSBackend, "receive_message", None, "clock (AttributeError: "),
    ],
    ids=["event gone", "send gone", "send changed", "visible gone", "datetime gone", "receive gone"],
)
def test_unknown_moto_that_breaks_an_amendment(
    monkeypatch: pytest.MonkeyPatch, module: ModuleType, name: str, value: Any, broken: str
) -> None:
    """A hook that is gone or changed is named, in both languages, and nothing in the process was changed."""
    monkeypatch.setattr(moto, "__version__", "99.0.0")
    if value is None:
        monkeypatch.delattr(module, name)
    else:
        monkeypatch.setattr(module, name, value)
    before = {key: vars(module).get(key) for key in vars(module)}, environment(), URLLib3Session.send
    with pytest.raises(UntestedMotoError) as refusal:
        bentocola.start("es")
    spanish, japanese = str(refusal.value).splitlines()

    # What several build on is named for each of them.
    assert broken in {fault[: len(broken)] for fault in refusal.value.broken}
    assert spanish.startswith(f"La nube local se probó con moto {TESTED_MOTO}. Aquí está instalado moto 99.0.0, ")
    assert japanese.startswith(f"この手元のクラウドはmoto {TESTED_MOTO}で確認しています。")
    assert all(broken in line and f'"moto=={TESTED_MOTO}"' in line for line in (spanish, japanese))
    assert ({key: vars(module).get(key) for key in vars(module)}, environment(), URLLib3Session.send) == before


def test_amendments_are_put_in_place_once() -> None:
    """However often it starts, moto's own functions are kept once, and are not wrapped again."""
    bentocola.start("es").stop()
    before = looked_after()
    bentocola.start("es").stop()
    bentocola.start("ja").stop()
    after = looked_after()

    assert {name: after[name] for name in ("event", "send")} == {name: before[name] for name in ("event", "send")}
    assert not hasattr(after["receive"], "__wrapped__")
