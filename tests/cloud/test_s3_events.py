"""The S3 event as AWS documents it. Each difference from moto is shown with moto's own function beside ours.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
"""

from __future__ import annotations

from typing import Any
from urllib.parse import unquote_plus

import pytest
from moto.s3 import notifications

from bentocola.cloud.amendments import s3_events
from bentocola.cloud.cloud import Cloud
from tests.cloud.scene import Scene


def with_moto_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put moto's own functions back for one test."""
    for name, theirs in s3_events._of_moto.items():
        monkeypatch.setattr(notifications, name, theirs)


def test_record_has_the_documented_fields(scene: Scene) -> None:
    """Every documented field of an upload's record is there, in the documented order, and no other is."""
    etag = scene.upload("pedidos/lucia/3.json", b"hola")["ETag"].strip('"')
    now = scene.cloud.clock.now()
    (record,) = scene.records()
    version = record.pop("eventVersion")
    elements = record.pop("responseElements")
    sequencer = record["s3"]["object"].pop("sequencer")

    assert record == {
        "eventSource": "aws:s3",
        "awsRegion": "us-east-1",
        "eventTime": f"{now:%Y-%m-%dT%H:%M:%S}.{now.microsecond // 1000:03d}Z",
        "eventName": "ObjectCreated:Put",
        "userIdentity": {"principalId": "AWS:AIDABENTOCOLASTUDENT"},
        "requestParameters": {"sourceIPAddress": "127.0.0.1"},
        "s3": {
            "s3SchemaVersion": "1.0",
            "configurationId": record["s3"]["configurationId"],
            "bucket": {
                "name": "tienda-subidas",
                "ownerIdentity": {"principalId": "A1BENTOCOLAOWNER"},
                "arn": "arn:aws:s3:::tienda-subidas",
            },
            "object": {"key": "pedidos/lucia/3.json", "size": 4, "eTag": etag},
        },
    }
    assert version.startswith("2.")
    assert sorted(elements) == ["x-amz-id-2", "x-amz-request-id"]
    assert int(elements["x-amz-request-id"], 16) > 0
    assert int(sequencer, 16) > 0


def test_order_of_fields(scene: Scene) -> None:
    """A student who prints a record sees its fields in the order of the documentation."""
    scene.upload("a")
    (record,) = scene.records()

    assert list(record) == [
        "eventVersion",
        "eventSource",
        "awsRegion",
        "eventTime",
        "eventName",
        "userIdentity",
        "requestParameters",
        "responseElements",
        "s3",
    ]
    assert list(record["s3"]["bucket"]) == ["name", "ownerIdentity", "arn"]
    assert list(record["s3"]["object"]) == ["key", "size", "eTag", "sequencer"]


KEYS = {
    "pedidos/lucia/3.json": "pedidos/lucia/3.json",
    "dos palabras/a b.json": "dos+palabras/a+b.json",
    "pedidos/peña/3.json": "pedidos/pe%C3%B1a/3.json",
    "pedidos/lucía/3.json": "pedidos/luc%C3%ADa/3.json",
    "注文/佐藤/3.json": "%E6%B3%A8%E6%96%87/%E4%BD%90%E8%97%A4/3.json",
    "uno+dos": "uno%2Bdos",
    "100%": "100%25",
    "a%20b": "a%2520b",
    "a&b=c,d": "a%26b%3Dc%2Cd",
    "a/b//c/": "a/b//c/",
    "🍱/弁当.json": "%F0%9F%8D%B1/%E5%BC%81%E5%BD%93.json",
    "plano": "plano",
    "a-b_c.d~e": "a-b_c.d~e",
    "(1)!*'": "%281%29%21%2A%27",
    "a?b#c": "a%3Fb%23c",
}


@pytest.mark.parametrize(("key", "encoded"), KEYS.items(), ids=list(KEYS))
def test_key_is_url_encoded(scene: Scene, key: str, encoded: str) -> None:
    """A space becomes a plus sign, a slash stays, everything else is percent-encoded; `unquote_plus` gives the key back."""
    scene.upload(key)
    (record,) = scene.records()

    assert record["s3"]["object"]["key"] == encoded
    assert unquote_plus(encoded) == key
    assert scene.s3.list_objects_v2(Bucket=scene.bucket)["Contents"][0]["Key"] == key


def test_moto_alone_encodes_the_slash(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the amendment a path would come as one word, and the documented fields would be missing."""
    with_moto_alone(monkeypatch)
    scene.upload("pedidos/lucia/3.json")
    (record,) = scene.records()

    assert record["s3"]["object"]["key"] == "pedidos%2Flucia%2F3.json"
    assert {"userIdentity", "requestParameters", "responseElements"} & set(record) == set()
    assert {"sequencer", "versionId"} & set(record["s3"]["object"]) == set()
    assert "ownerIdentity" not in record["s3"]["bucket"]


# Versions


def test_no_version_in_an_ordinary_bucket(scene: Scene) -> None:
    """Where versioning is off, a record has no versionId."""
    scene.upload("a")
    (record,) = scene.records()

    assert "versionId" not in record["s3"]["object"]


def test_version_in_a_versioned_bucket(scene: Scene) -> None:
    """Where it is on, the record names the version that the upload made, before the sequencer."""
    scene.s3.put_bucket_versioning(Bucket=scene.bucket, VersioningConfiguration={"Status": "Enabled"})
    versions = [scene.upload("a")["VersionId"], scene.upload("a")["VersionId"]]
    objects = [record["s3"]["object"] for record in scene.records()]

    assert [stored["versionId"] for stored in objects] == versions
    assert list(objects[0]) == ["key", "size", "eTag", "versionId", "sequencer"]


# The sequencer


def test_sequencer_grows_for_one_key(scene: Scene) -> None:
    """A later event of a key has the greater sequencer, compared as text; it is hexadecimal."""
    for n in range(3):
        scene.upload("a", str(n).encode())
        scene.cloud.clock.advance(3600 * n)
    sequencers = [record["s3"]["object"]["sequencer"] for record in scene.records()]

    assert sequencers == sorted(set(sequencers))
    assert len({len(sequencer) for sequencer in sequencers}) == 1
    assert all(set(sequencer) <= set("0123456789ABCDEF") for sequencer in sequencers)


# One event for one act


def multipart(scene: Scene, key: str = "a") -> None:
    """Upload an object in two parts."""
    name = {"Bucket": scene.bucket, "Key": key}
    upload = {**name, "UploadId": scene.s3.create_multipart_upload(**name)["UploadId"]}
    parts = [
        {"PartNumber": n, "ETag": scene.s3.upload_part(**upload, PartNumber=n, Body=body)["ETag"]}
        for n, body in ((1, b"a" * 5 * 2**20), (2, b"b"))
    ]
    scene.s3.complete_multipart_upload(**upload, MultipartUpload={"Parts": parts})


def names(records: list[dict[str, Any]]) -> list[str]:
    """Return the records' event names."""
    return [record["eventName"] for record in records]


def test_one_event_for_a_multipart_upload(scene: Scene) -> None:
    """The completion alone is announced, with the whole object's size."""
    multipart(scene)
    records = scene.records()

    assert names(records) == ["ObjectCreated:CompleteMultipartUpload"]
    assert records[0]["s3"]["object"]["size"] == 5 * 2**20 + 1


def test_moto_alone_announces_a_multipart_upload_twice(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the amendment a put would be announced as well."""
    with_moto_alone(monkeypatch)
    multipart(scene)

    assert names(scene.records()) == ["ObjectCreated:Put", "ObjectCreated:CompleteMultipartUpload"]


def test_put_after_a_multipart_upload_is_announced(scene: Scene) -> None:
    """An ordinary upload of the same key afterwards is one of its own."""
    multipart(scene)
    scene.upload("a")

    assert names(scene.records()) == ["ObjectCreated:CompleteMultipartUpload", "ObjectCreated:Put"]


def test_one_event_for_a_copy(scene: Scene) -> None:
    """A copy is one event, under the new key, of an object in one part or in several."""
    multipart(scene, "grande")
    scene.upload("a")
    scene.drain()
    for source in ("a", "grande"):
        scene.s3.copy_object(Bucket=scene.bucket, Key=f"copia/{source}", CopySource=f"{scene.bucket}/{source}")
    records = scene.records()

    assert names(records) == ["ObjectCreated:Copy", "ObjectCreated:Copy"]
    assert [record["s3"]["object"]["key"] for record in records] == ["copia/a", "copia/grande"]


def test_one_event_for_a_delete(cloud: Cloud) -> None:
    """A deletion is one event, where the bucket announces deletions, and none where it announces creations only."""
    scene = Scene(cloud, "s3:ObjectRemoved:*")
    scene.upload("a")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a")

    assert names(scene.records()) == ["ObjectRemoved:Delete"]


def test_no_event_for_a_delete_where_only_creations_are_announced(scene: Scene) -> None:
    """Only what the notification names is announced."""
    scene.upload("a")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a")

    assert names(scene.records()) == ["ObjectCreated:Put"]


def test_no_event_for_a_refused_upload(scene: Scene) -> None:
    """What S3 did not store is not announced."""
    with pytest.raises(scene.s3.exceptions.NoSuchBucket):
        scene.s3.put_object(Bucket="otra", Key="a", Body=b"")

    assert scene.records() == []


# The notification's rule


@pytest.mark.parametrize(
    ("rule", "announced"),
    [
        ({"prefix": "pedidos/"}, ["pedidos/a.json", "pedidos/a.txt"]),
        ({"suffix": ".json"}, ["pedidos/a.json", "otros/a.json"]),
        ({"prefix": "pedidos/", "suffix": ".json"}, ["pedidos/a.json"]),
    ],
    ids=["prefix", "suffix", "both"],
)
def test_filter(cloud: Cloud, rule: dict[str, str], announced: list[str]) -> None:
    """A notification for a prefix or suffix still announces only what fits."""
    rules = [{"Name": name, "Value": value} for name, value in rule.items()]
    scene = Scene(cloud, Filter={"Key": {"FilterRules": rules}})
    for key in ("pedidos/a.json", "pedidos/a.txt", "otros/a.json"):
        scene.upload(key)

    assert [record["s3"]["object"]["key"] for record in scene.records()] == announced


def test_configuration_is_named(cloud: Cloud) -> None:
    """The record carries the id of the notification that sent it."""
    scene = Scene(cloud, Id="a-la-cola")
    scene.upload("a")

    assert [record["s3"]["configurationId"] for record in scene.records()] == ["a-la-cola"]


def test_test_event_comes_first(scene: Scene) -> None:
    """Setting a notification up sends S3's test event, which has no Records."""
    scene.announce("s3:ObjectCreated:*")
    (event,) = scene.drain()

    assert event["Event"] == "s3:TestEvent"
    assert event["Bucket"] == scene.bucket
    assert "Records" not in event
