"""The S3 event as AWS documents it. Each difference from moto is shown with moto's own function beside ours.

https://docs.aws.amazon.com/AmazonS3/latest/userguide/notification-content-structure.html
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import unquote_plus

import pytest
from botocore.awsrequest import AWSRequest
from botocore.httpsession import URLLib3Session

from bentocola.cloud.amendments import s3_events
from bentocola.cloud.cloud import Cloud
from tests.cloud.scene import Scene


def with_moto_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put moto's own functions back for one test."""
    for place, name, _ in s3_events._amended():
        monkeypatch.setattr(place, name, s3_events._of_moto[name])


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


def test_one_event_for_a_form(scene: Scene) -> None:
    """What a browser's form uploads is a Post."""
    form = scene.s3.generate_presigned_post(Bucket=scene.bucket, Key="pedidos/a b.json")
    fields = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in form["fields"].items()
    )
    body = f'{fields}--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nhola\r\n--x--\r\n'
    headers = {"Content-Type": "multipart/form-data; boundary=x"}
    answer = URLLib3Session().send(AWSRequest("POST", form["url"], headers, body.encode()).prepare())
    (record,) = scene.records()

    assert answer.status_code == 204
    assert record["eventName"] == "ObjectCreated:Post"
    assert (record["s3"]["object"]["key"], record["s3"]["object"]["size"]) == ("pedidos/a+b.json", 4)


def test_one_event_for_a_delete(cloud: Cloud) -> None:
    """A deletion is one event, where the bucket announces deletions, and none where it announces creations only."""
    scene = Scene(cloud, "s3:ObjectRemoved:*")
    scene.upload("a")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a")

    assert names(scene.records()) == ["ObjectRemoved:Delete"]


def test_removal_has_no_size(cloud: Cloud) -> None:
    """A removal tells which key is gone, not what it was; its sequencer is greater than the upload's."""
    scene = Scene(cloud)
    scene.announce("s3:ObjectCreated:*", "s3:ObjectRemoved:*")
    scene.drain()
    scene.upload("a b")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a b")
    created, removed = (record["s3"]["object"] for record in scene.records())

    assert list(removed) == ["key", "sequencer"]
    assert removed["key"] == created["key"] == "a+b"
    assert removed["sequencer"] > created["sequencer"]


def test_one_event_for_each_of_many_deletes(cloud: Cloud) -> None:
    """DeleteObjects is announced object by object, each in an event with one record."""
    scene = Scene(cloud, "s3:ObjectRemoved:*")
    for key in "abc":
        scene.upload(key)
    scene.s3.delete_objects(Bucket=scene.bucket, Delete={"Objects": [{"Key": key} for key in "abc"]})
    bodies = scene.drain()

    assert [len(body["Records"]) for body in bodies] == [1, 1, 1]
    assert [body["Records"][0]["s3"]["object"]["key"] for body in bodies] == ["a", "b", "c"]


def versioned(cloud: Cloud, events: str) -> Scene:
    """A scene whose bucket keeps versions and announces `events`."""
    scene = Scene(cloud, events)
    scene.s3.put_bucket_versioning(Bucket=scene.bucket, VersioningConfiguration={"Status": "Enabled"})
    return scene


def test_delete_marker_is_announced(cloud: Cloud) -> None:
    """In a versioned bucket a delete makes a marker: the event names it and its version. moto announces none."""
    scene = versioned(cloud, "s3:ObjectRemoved:*")
    scene.upload("a")
    marker = scene.s3.delete_object(Bucket=scene.bucket, Key="a")
    (record,) = scene.records()

    assert record["eventName"] == "ObjectRemoved:DeleteMarkerCreated"
    assert list(record["s3"]["object"]) == ["key", "eTag", "versionId", "sequencer"]
    assert record["s3"]["object"]["versionId"] == marker["VersionId"]


def test_removal_of_each_version_is_announced(cloud: Cloud) -> None:
    """Deleting a version for good is a Delete with its versionId, whether others are left or not; so is a marker's."""
    scene = versioned(cloud, "s3:ObjectRemoved:*")
    versions = [scene.upload("a")["VersionId"], scene.upload("a")["VersionId"]]
    versions.append(scene.s3.delete_object(Bucket=scene.bucket, Key="a")["VersionId"])
    scene.drain()
    for version in versions:
        scene.s3.delete_object(Bucket=scene.bucket, Key="a", VersionId=version)
    records = scene.records()

    assert names(records) == ["ObjectRemoved:Delete"] * 3
    assert [record["s3"]["object"]["versionId"] for record in records] == versions


def test_moto_alone_forgets_markers_and_versions(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the amendment neither the marker nor a version before the last is announced."""
    scene = versioned(cloud, "s3:ObjectRemoved:*")
    version = scene.upload("a")["VersionId"]
    with_moto_alone(monkeypatch)
    scene.s3.delete_object(Bucket=scene.bucket, Key="a")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a", VersionId=version)

    assert scene.records() == []


@pytest.mark.parametrize(
    ("event", "announced"),
    [
        ("s3:ObjectRemoved:Delete", ["ObjectRemoved:Delete"]),
        ("s3:ObjectRemoved:DeleteMarkerCreated", ["ObjectRemoved:DeleteMarkerCreated"]),
        ("s3:ObjectRemoved:*", ["ObjectRemoved:DeleteMarkerCreated", "ObjectRemoved:Delete"]),
        ("s3:ObjectCreated:*", []),
    ],
)
def test_rule_for_removals(cloud: Cloud, event: str, announced: list[str]) -> None:
    """A rule names a kind of removal, or all of them with a star."""
    scene = versioned(cloud, event)
    version = scene.upload("a")["VersionId"]
    scene.drain()
    scene.s3.delete_object(Bucket=scene.bucket, Key="a")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a", VersionId=version)

    assert names(scene.records()) == announced


def test_no_event_for_a_version_that_is_not_there(cloud: Cloud) -> None:
    """What was not removed is not announced."""
    scene = versioned(cloud, "s3:ObjectRemoved:*")
    scene.upload("a")
    scene.s3.delete_object(Bucket=scene.bucket, Key="a", VersionId="1")

    assert scene.records() == []


def test_change_of_tags(cloud: Cloud) -> None:
    """Tags have events of their own, without a size and a sequencer."""
    scene = Scene(cloud, "s3:ObjectTagging:*")
    scene.upload("a")
    scene.s3.put_object_tagging(Bucket=scene.bucket, Key="a", Tagging={"TagSet": [{"Key": "k", "Value": "v"}]})
    scene.s3.delete_object_tagging(Bucket=scene.bucket, Key="a")
    records = scene.records()

    assert names(records) == ["ObjectTagging:Put", "ObjectTagging:Delete"]
    assert [list(record["s3"]["object"]) for record in records] == [["key", "eTag"]] * 2


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


ENCODED = {
    "dos+palabras/": ["dos palabras/a.json"],
    "dos%20palabras/": ["dos palabras/a.json"],
    "pe%C3%B1a/": ["peña/a.json"],
    "uno%2Bdos/": ["uno+dos/a.json"],
    "*/": [],
}


@pytest.mark.parametrize(("prefix", "announced"), ENCODED.items(), ids=list(ENCODED))
def test_filter_is_url_encoded(cloud: Cloud, prefix: str, announced: list[str]) -> None:
    """A rule's value is written as in an event, with a plus sign for a space, and compared with the key itself."""
    scene = Scene(cloud, Filter={"Key": {"FilterRules": [{"Name": "prefix", "Value": prefix}]}})
    for key in ("dos palabras/a.json", "dos+palabras/a.json", "peña/a.json", "uno+dos/a.json"):
        scene.upload(key)

    assert [unquote_plus(record["s3"]["object"]["key"]) for record in scene.records()] == announced


# Who gets an event, and when


def test_queue_that_no_longer_lets_s3_gets_nothing(scene: Scene) -> None:
    """SQS asks the queue's policy at each message: what is uploaded after it is gone is announced to nobody."""
    scene.upload("a")
    scene.sqs.set_queue_attributes(QueueUrl=scene.queue, Attributes={"Policy": ""})
    scene.upload("b")
    scene.let_s3_send(scene.queue)
    scene.upload("c")

    assert [record["s3"]["object"]["key"] for record in scene.records()] == ["a", "c"]


def test_event_can_be_sent_later(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is hooked in decides when an event goes out; it tells when the upload was, not when it was sent."""
    waiting: list[Callable[[], None]] = []
    monkeypatch.setattr(s3_events, "send_later", waiting.append)
    scene.upload("a")
    scene.upload("b")

    assert scene.records() == []
    then = scene.cloud.clock.now()
    scene.cloud.clock.advance(60)
    for send in reversed(waiting):
        send()
    records = scene.records()
    assert [record["s3"]["object"]["key"] for record in records] == ["b", "a"]
    assert all(record["eventTime"] <= f"{then:%Y-%m-%dT%H:%M:%S}.{then.microsecond // 1000:03d}Z" for record in records)


def test_test_event_comes_first(scene: Scene) -> None:
    """Setting a notification up sends S3's test event, which has no Records."""
    scene.announce("s3:ObjectCreated:*")
    (event,) = scene.drain()

    assert list(event) == ["Service", "Event", "Time", "Bucket", "RequestId", "HostId"]
    assert (event["Service"], event["Event"], event["Bucket"]) == ("Amazon S3", "s3:TestEvent", scene.bucket)
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", event["Time"])
    assert "" not in (event["RequestId"], event["HostId"])
