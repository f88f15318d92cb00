"""Nothing leaves the machine: whatever client a student makes, when, and with whatever settings, the local cloud answers.

Sockets and look-ups raise in every test, so an answer can only have come from here.
"""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import boto3
import botocore.session
import pytest
from botocore import UNSIGNED
from botocore.config import Config
from botocore.exceptions import ClientError, MetadataRetrievalError, ProfileNotFound
from botocore.tokens import FrozenAuthToken
from botocore.utils import ContainerMetadataFetcher, InstanceMetadataFetcher, SSOTokenLoader

import bentocola
from bentocola.cloud.cloud import Cloud

LOOKS = {"s3": "list_buckets", "sqs": "list_queues", "dynamodb": "list_tables"}
ENDPOINTS = ("http://localhost:4566", "http://127.0.0.1:9", "https://aws.example.com", "https://s3.example.org:8443")
REGIONS = ("cn-north-1", "us-gov-west-1", "eu-south-2", "us-iso-east-1", "eusc-de-east-1")
PROXIES = dict.fromkeys(("http", "https"), "http://proxy.example.com:8080")


def status(client: Any, service: str) -> int:
    """Call the service's simplest operation and return the HTTP status."""
    return int(getattr(client, LOOKS[service])()["ResponseMetadata"]["HTTPStatusCode"])


@pytest.fixture
def own_profile(home: Path) -> Path:
    """A student's own ~/.aws, with a default, a profile and a region, none of which may ever be used."""
    folder = home / ".aws"
    folder.mkdir()
    keys = "aws_access_key_id = AKIAREALREALREALREAL\naws_secret_access_key = real-secret\n"
    (folder / "credentials").write_text(f"[default]\n{keys}\n[school]\n{keys}")
    (folder / "config").write_text("[default]\nregion = eu-west-3\n\n[profile school]\nregion = ap-northeast-1\n")
    return folder


@pytest.mark.parametrize("service", LOOKS)
def test_client_made_after_start(cloud: Cloud, service: str) -> None:
    """A plain client needs no region, profile or endpoint."""
    client = boto3.client(service)

    assert client.meta.region_name == "us-east-1"
    assert status(client, service) == 200


@pytest.mark.parametrize("service", LOOKS)
def test_client_made_before_start(service: str) -> None:
    """A client from before the start talks to the local cloud from then on."""
    client = boto3.client(service, region_name="eu-west-1", aws_access_key_id="AKIAREAL", aws_secret_access_key="real")
    cloud = bentocola.start("es")
    try:
        assert status(client, service) == 200
    finally:
        cloud.stop()


@pytest.mark.parametrize("service", LOOKS)
def test_client_of_an_own_session(cloud: Cloud, service: str) -> None:
    """A session of one's own is no way around."""
    session = boto3.Session(region_name="eu-west-1", aws_access_key_id="AKIAREAL", aws_secret_access_key="real")

    assert status(session.client(service), service) == 200


@pytest.mark.parametrize("service", LOOKS)
def test_client_of_a_session_that_read_a_profile_before(own_profile: Path, service: str) -> None:
    """A session that had read a profile's keys signs with them, and only the local cloud sees it."""
    session = boto3.Session(profile_name="school")
    session.client("s3")
    cloud = bentocola.start("es")
    try:
        client = session.client(service)

        assert session.get_credentials().access_key == "AKIAREALREALREALREAL"
        assert client.meta.region_name == "us-east-1"
        assert status(client, service) == 200
    finally:
        cloud.stop()


def test_profile_is_not_found_after_start(own_profile: Path, cloud: Cloud) -> None:
    """A student's profile is out of reach: its keys are never read."""
    with pytest.raises(ProfileNotFound):
        boto3.Session(profile_name="school").client("s3")


def test_default_profile_is_not_used_after_start(own_profile: Path, cloud: Cloud) -> None:
    """Neither the keys nor the region of the default profile are in force."""
    session = boto3.Session()

    assert session.get_credentials().access_key == "AKIABENTOCOLASTUDENT"
    assert session.region_name == "us-east-1"


@pytest.mark.parametrize("service", LOOKS)
def test_proxy_in_the_configuration(cloud: Cloud, service: str) -> None:
    """A configured proxy is not asked."""
    assert status(boto3.client(service, config=Config(proxies=PROXIES)), service) == 200


@pytest.mark.parametrize("service", LOOKS)
def test_proxy_in_the_environment(cloud: Cloud, monkeypatch: pytest.MonkeyPatch, service: str) -> None:
    """Nor is one that the environment names."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, PROXIES["https"])

    assert status(boto3.client(service), service) == 200


@pytest.mark.parametrize("service", LOOKS)
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_explicit_endpoint(cloud: Cloud, service: str, endpoint: str) -> None:
    """A named endpoint, near or far, is answered by the local cloud and not reached."""
    assert status(boto3.client(service, endpoint_url=endpoint), service) == 200


@pytest.mark.parametrize("service", ["sqs", "dynamodb"])
@pytest.mark.parametrize("endpoint", ENDPOINTS)
def test_unsigned_at_an_explicit_endpoint(cloud: Cloud, service: str, endpoint: str) -> None:
    """Without a signature and at an unknown host, the request's own target says which service is meant."""
    client = boto3.client(service, endpoint_url=endpoint, config=Config(signature_version=UNSIGNED))

    assert status(client, service) == 200


def test_unsigned_s3_at_an_unknown_host_is_refused(cloud: Cloud) -> None:
    """Where nothing tells what a request is, it is refused, not sent on."""
    client = boto3.client("s3", endpoint_url="https://aws.example.com", config=Config(signature_version=UNSIGNED))

    with pytest.raises(ClientError) as refusal:
        client.list_buckets()

    assert refusal.value.response["ResponseMetadata"]["HTTPStatusCode"] == 501


@pytest.mark.parametrize("service", LOOKS)
def test_unsigned(cloud: Cloud, service: str) -> None:
    """An unsigned client is told by its host."""
    assert status(boto3.client(service, config=Config(signature_version=UNSIGNED)), service) == 200


@pytest.mark.parametrize("version", ["s3", "s3v4", "s3-query", "s3v4-query"])
def test_every_signature(cloud: Cloud, version: str) -> None:
    """The older ways to sign, in a header or in the address, change nothing."""
    assert status(boto3.client("s3", config=Config(signature_version=version)), "s3") == 200


@pytest.mark.parametrize("option", ["use_accelerate_endpoint", "use_dualstack_endpoint", "use_arn_region"])
def test_other_hosts_of_s3(cloud: Cloud, option: str) -> None:
    """S3's other host names lead to the same buckets."""
    boto3.client("s3").create_bucket(Bucket="tienda")
    client = boto3.client("s3", config=Config(s3={option: True}))
    client.put_object(Bucket="tienda", Key="a/b.json", Body=b"{}")

    assert boto3.client("s3").get_object(Bucket="tienda", Key="a/b.json")["Body"].read() == b"{}"


@pytest.mark.parametrize("service", LOOKS)
@pytest.mark.parametrize("region", REGIONS)
def test_every_region(cloud: Cloud, service: str, region: str) -> None:
    """Other regions and partitions are answered here too."""
    assert status(boto3.client(service, region_name=region), service) == 200


def test_regions_are_apart(cloud: Cloud) -> None:
    """What is made in one region is not in another."""
    boto3.client("sqs", region_name="eu-south-2").create_queue(QueueName="cola")

    assert "QueueUrls" not in boto3.client("sqs").list_queues()


@pytest.mark.parametrize(
    "call",
    [
        lambda: boto3.client("sqs", region_name="xx-nowhere-9").create_queue(QueueName="cola"),
        lambda: boto3.client("dynamodb", region_name="xx-nowhere-9").list_tables(),
        lambda: boto3.client("dynamodb", region_name="xx-nowhere-9").put_item(
            TableName="tabla", Item={"a": {"S": "1"}}
        ),
    ],
    ids=["sqs", "dynamodb", "write"],
)
def test_unknown_region_is_refused(cloud: Cloud, call: Callable[[], Any]) -> None:
    """A region that does not exist gets an error of the service's kind, which names it."""
    with pytest.raises(ClientError, match="xx-nowhere-9"):
        call()


def test_resources(cloud: Cloud) -> None:
    """boto3's resources take the same way."""
    boto3.resource("s3").create_bucket(Bucket="tienda")

    assert [bucket.name for bucket in boto3.resource("s3").buckets.all()] == ["tienda"]
    assert list(boto3.resource("sqs").queues.all()) == []
    assert list(boto3.resource("dynamodb").tables.all()) == []


def test_resource_of_another_service(cloud: Cloud) -> None:
    """A resource of a service that is not offered says so."""
    with pytest.raises(ClientError) as refusal:
        list(boto3.resource("ec2").instances.all())

    assert refusal.value.response["Error"]["Code"] == "ServiceNotOffered"


def test_managed_transfers(cloud: Cloud, tmp_path: Path) -> None:
    """An upload and a download with boto3's threads, in several parts, stay here as well."""
    from boto3.s3.transfer import TransferConfig

    sent, came = tmp_path / "sent", tmp_path / "came"
    sent.write_bytes(b"bento" * 2_000_000)
    boto3.client("s3").create_bucket(Bucket="tienda")
    boto3.client("s3").upload_file(str(sent), "tienda", "a", Config=TransferConfig(multipart_threshold=5 * 2**20))
    boto3.client("s3").download_file("tienda", "a", str(came))

    assert came.read_bytes() == sent.read_bytes()


def test_presigned_address_is_made_without_a_call(cloud: Cloud) -> None:
    """Signing an address asks nobody, and it carries the made-up key."""
    address = boto3.client("s3").generate_presigned_url("get_object", Params={"Bucket": "tienda", "Key": "a"})

    assert address.startswith("https://tienda.s3.amazonaws.com/a?")
    assert "AKIABENTOCOLASTUDENT" in address
    assert len(cloud.trace) == 0


def test_bearer_token(cloud: Cloud) -> None:
    """A request that carries a token in place of a signature is answered here, by the name in its host."""
    session = botocore.session.Session()

    class Tokens:
        def load_token(self, **_: object) -> object:
            return self

        def get_frozen_token(self) -> FrozenAuthToken:
            return FrozenAuthToken("a-bearer-token")

    session.register_component("token_provider", Tokens())
    client = boto3.Session(botocore_session=session).client("codecatalyst")

    with pytest.raises(ClientError, match="'codecatalyst'"):
        client.list_spaces()


def test_bearer_token_of_the_environment(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """So is Bedrock with the token that boto3 takes from a variable."""
    monkeypatch.setenv("AWS_BEARER_TOKEN_BEDROCK", "a-bearer-token")

    with pytest.raises(ClientError, match="'bedrock'"):
        boto3.client("bedrock").list_foundation_models()


def test_metadata_of_a_machine_in_aws(cloud: Cloud) -> None:
    """On a machine in AWS the metadata service gives out real keys; boto3's look-up ends here with none."""
    assert InstanceMetadataFetcher(timeout=1, num_attempts=2).retrieve_iam_role_credentials() == {}


@pytest.mark.parametrize("address", ["http://169.254.170.2/credentials", "http://localhost/credentials"])
def test_metadata_of_a_container(cloud: Cloud, address: str) -> None:
    """Nor does a container's credentials service give any."""
    with pytest.raises(MetadataRetrievalError, match="501"):
        ContainerMetadataFetcher(sleep=lambda seconds: None).retrieve_full_uri(address)


def test_credentials_of_single_sign_on(own_profile: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A profile with single sign-on, read before the start, asks the local cloud for its keys, and gets none."""
    (own_profile / "config").write_text(
        "[profile sso]\nsso_start_url = https://school.awsapps.com/start\nsso_region = eu-west-1\n"
        "sso_account_id = 123456789012\nsso_role_name = student\nregion = eu-west-1\n"
    )
    token = {"accessToken": "a-token", "expiresAt": "2999-01-01T00:00:00Z"}
    monkeypatch.setattr(SSOTokenLoader, "__call__", lambda *_, **__: token)
    session = boto3.Session(profile_name="sso")
    client = session.client("s3")
    cloud = bentocola.start("es")
    try:
        with pytest.raises(ClientError, match="'portal.sso'"):
            client.list_buckets()
    finally:
        cloud.stop()


def test_call_after_stop_is_no_longer_answered(cloud: Cloud) -> None:
    """The end is an end: the wire is gone, and what the cloud held with it."""
    client = boto3.client("s3", config=Config(retries={"total_max_attempts": 1}))
    client.create_bucket(Bucket="tienda")
    cloud.stop()
    again = bentocola.start("es")
    try:
        assert client.list_buckets()["Buckets"] == []
    finally:
        again.stop()


def test_urllib_is_not_in_the_way_of_others(cloud: Cloud) -> None:
    """Other hosts are no business of the local cloud: an attempt goes as far as the machine lets it."""
    with pytest.raises((urllib.error.URLError, OSError)):
        urllib.request.urlopen("http://127.0.0.1:9/", timeout=1)
