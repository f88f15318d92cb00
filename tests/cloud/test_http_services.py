"""The mocked services over HTTP, as programs other than boto3 in this process reach them: signed requests on a real socket."""

from __future__ import annotations

import http.client
import json
import zlib
from base64 import b64encode
from collections.abc import Iterator
from urllib.parse import quote

import boto3
import pytest
from botocore.auth import S3SigV4Auth, SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

from bentocola.cloud.cloud import Cloud
from bentocola.cloud.wires.http import HttpWire

KEYS = Credentials("AKIABENTOCOLASTUDENT", "not-a-secret")


@pytest.fixture
def wire(cloud: Cloud) -> Iterator[HttpWire]:
    """The running cloud, over HTTP as well."""
    wire = HttpWire(cloud._door.handle, say=cloud.say)
    wire.connect()
    yield wire
    wire.disconnect()


def ask(
    wire: HttpWire,
    service: str,
    method: str,
    path: str,
    body: bytes = b"",
    headers: dict[str, str] | None = None,
    host: str = "127.0.0.1",
) -> tuple[http.client.HTTPResponse, bytes]:
    """Sign a request, send it, and return the answer."""
    request = AWSRequest(method, f"http://{host}:{wire.port}{path}", headers or {}, body)
    auth = S3SigV4Auth if service == "s3" else SigV4Auth
    auth(KEYS, service, "us-east-1").add_auth(request)
    connection = http.client.HTTPConnection("127.0.0.1", wire.port, timeout=60)
    # Those that were asked for come last: signing puts the body's own hash in.
    sent = {**dict(request.headers.items()), **(headers or {}), "Host": f"{host}:{wire.port}"}
    connection.request(method, path, body, sent)
    response = connection.getresponse()
    said = response.read()
    connection.close()
    return response, said


def test_queue_s_address_is_the_one_of_aws(wire: HttpWire) -> None:
    """A queue made over HTTP has the address that it has everywhere: no host or port of this machine."""
    headers = {"X-Amz-Target": "AmazonSQS.CreateQueue", "Content-Type": "application/x-amz-json-1.0"}
    _, said = ask(wire, "sqs", "POST", "/", b'{"QueueName": "orders"}', headers)

    assert json.loads(said)["QueueUrl"] == boto3.client("sqs").get_queue_url(QueueName="orders")["QueueUrl"]
    assert str(wire.port) not in json.loads(said)["QueueUrl"]


@pytest.mark.parametrize(
    "key", ["a//b", "/a", "a/../b", "./a", "a b+c", "a%2Fb", "pedidos/año 1.json", "注文/1.json", "a?b#c&d=e"]
)
def test_key_is_kept(wire: HttpWire, key: str) -> None:
    """What is stored under a key over HTTP is under the same key in process, and the other way round."""
    s3 = boto3.client("s3")
    s3.create_bucket(Bucket="orders")
    path = f"/orders/{quote(key, safe='/~')}"
    assert ask(wire, "s3", "PUT", path, b"one")[0].status == 200

    assert [item["Key"] for item in s3.list_objects_v2(Bucket="orders")["Contents"]] == [key]
    assert ask(wire, "s3", "GET", path)[1] == b"one"


def test_bytes_are_kept(wire: HttpWire) -> None:
    """Every byte, and a length of some megabytes."""
    boto3.client("s3").create_bucket(Bucket="orders")
    content = bytes(range(256)) * 40_000
    ask(wire, "s3", "PUT", "/orders/big", content)
    response, said = ask(wire, "s3", "GET", "/orders/big")

    assert said == content
    assert response.headers["Content-Length"] == str(len(content))


@pytest.mark.parametrize("signed", ["STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-UNSIGNED-PAYLOAD-TRAILER"])
def test_aws_chunked(wire: HttpWire, signed: str) -> None:
    """A body in signed chunks, or with its checksum at the end, is stored without either.

    Source: https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
    """
    boto3.client("s3").create_bucket(Bucket="orders")
    content = b"\r\n0;chunk-signature=" + bytes(range(256))
    mark = b";chunk-signature=" + b"0" * 64 if "HMAC" in signed else b""
    checksum = b64encode(zlib.crc32(content).to_bytes(4, "big"))
    end = b"0" + mark + b"\r\n" + (b"\r\n" if mark else b"x-amz-checksum-crc32:" + checksum + b"\r\n\r\n")
    body = b"%x" % len(content) + mark + b"\r\n" + content + b"\r\n" + end
    headers = {
        "Content-Encoding": "aws-chunked",
        "X-Amz-Content-SHA256": signed,
        "X-Amz-Decoded-Content-Length": str(len(content)),
    } | ({} if mark else {"X-Amz-Trailer": "x-amz-checksum-crc32"})
    response, said = ask(wire, "s3", "PUT", "/orders/k", body, headers)
    assert response.status == 200, said

    assert ask(wire, "s3", "GET", "/orders/k")[1] == content


def test_bucket_in_the_host(wire: HttpWire) -> None:
    """`bucket.localhost` is the bucket, as SDKs ask where the endpoint has a name."""
    s3 = boto3.client("s3")
    s3.create_bucket(Bucket="orders")
    ask(wire, "s3", "PUT", "/a/k", b"one", host="orders.localhost")

    assert s3.get_object(Bucket="orders", Key="a/k")["Body"].read() == b"one"


@pytest.mark.parametrize("version", ["s3", "s3v4"])
def test_presigned_address(wire: HttpWire, version: str) -> None:
    """An address that was signed for somebody works as it stands, in the old way of signing too."""
    boto3.client("s3").create_bucket(Bucket="orders")
    boto3.client("s3").put_object(Bucket="orders", Key="k", Body=b"one")
    config = boto3.session.Config(signature_version=version)
    s3 = boto3.client("s3", endpoint_url=wire.endpoint, config=config)
    address = s3.generate_presigned_url("get_object", {"Bucket": "orders", "Key": "k"})
    connection = http.client.HTTPConnection("127.0.0.1", wire.port, timeout=60)
    connection.request("GET", address.removeprefix(wire.endpoint))

    assert connection.getresponse().read() == b"one"
    connection.close()


def test_head_object(wire: HttpWire) -> None:
    """HEAD tells the length of the object and sends nothing of it."""
    boto3.client("s3").create_bucket(Bucket="orders")
    boto3.client("s3").put_object(Bucket="orders", Key="k", Body=b"1234")
    response, said = ask(wire, "s3", "HEAD", "/orders/k")

    assert (response.status, response.headers["Content-Length"], said) == (200, "4", b"")


def test_service_that_is_not_offered(wire: HttpWire) -> None:
    """It is answered here, in the cloud's language."""
    response, said = ask(wire, "ec2", "POST", "/", b"Action=DescribeInstances")

    assert response.status == 501
    assert "ec2" in said.decode()
