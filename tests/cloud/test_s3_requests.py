"""What S3 refuses of any request: bucket names, keys that are too long, somebody else's bucket."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.config import Config
from botocore.exceptions import ClientError

from bentocola.cloud.amendments import s3_requests
from tests.cloud.scene import Scene

UNCHECKED = Config(parameter_validation=False)


@pytest.mark.parametrize(
    "name",
    [
        "ab",
        "a" * 64,
        "Pedidos",
        "pedidos_2026",
        "-pedidos",
        "pedidos-",
        "pedidos..2026",
        "192.168.5.4",
        "xn--pedidos",
        "pedidos-s3alias",
        "sthree-pedidos",
    ],
)
def test_bucket_name(scene: Scene, name: str) -> None:
    """A name outside of the rules is refused."""
    client = boto3.client("s3", config=Config(parameter_validation=False, s3={"addressing_style": "path"}))
    with pytest.raises(ClientError) as refusal:
        client.create_bucket(Bucket=name)

    assert refusal.value.response["Error"]["Code"] == "InvalidBucketName"


@pytest.mark.parametrize("name", ["abc", "a" * 63, "pedidos.2026", "2026-pedidos", "p-1"])
def test_bucket_name_that_is_allowed(scene: Scene, name: str) -> None:
    """A name within the rules is taken."""
    scene.s3.create_bucket(Bucket=name)

    assert name in [bucket["Name"] for bucket in scene.s3.list_buckets()["Buckets"]]


@pytest.mark.parametrize("key", ["a" * 1025, "ñ" * 513, "注" * 342], ids=["ascii", "two bytes", "three bytes"])
def test_key_that_is_too_long(scene: Scene, key: str) -> None:
    """A key has up to 1,024 bytes of UTF-8."""
    with pytest.raises(ClientError) as refusal:
        scene.upload(key)

    assert refusal.value.response["Error"]["Code"] == "KeyTooLongError"

    scene.upload(key[: 1024 // len(key[0].encode())])


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        ("put_object", {"Key": "a", "Body": b"x"}),
        ("list_objects_v2", {}),
        ("put_bucket_versioning", {"VersioningConfiguration": {"Status": "Enabled"}}),
    ],
)
def test_bucket_of_somebody_else(scene: Scene, operation: str, parameters: dict[str, Any]) -> None:
    """A request that names another owner than the bucket's is refused, and one that names ours is not."""
    call = getattr(scene.s3, operation)
    with pytest.raises(ClientError) as refusal:
        call(Bucket=scene.bucket, ExpectedBucketOwner="210987654321", **parameters)

    assert refusal.value.response["Error"]["Code"] == "AccessDenied"
    assert refusal.value.response["ResponseMetadata"]["HTTPStatusCode"] == 403

    call(Bucket=scene.bucket, ExpectedBucketOwner="123456789012", **parameters)


def test_self_test_holds() -> None:
    """This moto has what is amended."""
    s3_requests.self_test()
