"""How the door reads a request: which service, where, which operation; and that it answers whatever comes."""

from __future__ import annotations

from typing import Any

import boto3
import pytest
from botocore.exceptions import ClientError

from bentocola.cloud import door
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import Door, Request, Response, error_response, read_call

SCOPE = "AWS4-HMAC-SHA256 Credential=AKIA/20300102/{}/aws4_request, SignedHeaders=host, Signature=abc"


@pytest.mark.parametrize(
    ("url", "service", "region"),
    [
        ("https://sqs.eu-west-1.amazonaws.com/", "sqs", "eu-west-1"),
        ("https://sqs.cn-north-1.amazonaws.com.cn/", "sqs", "cn-north-1"),
        ("https://sqs.eusc-de-east-1.amazonaws.eu/", "sqs", "eusc-de-east-1"),
        ("https://my-data-1.s3.eu-west-1.amazonaws.com/a", "s3", "eu-west-1"),
        ("https://s3.dualstack.us-west-2.amazonaws.com/b/a", "s3", "us-west-2"),
        ("https://s3.amazonaws.com/b/a", "s3", "us-east-1"),
        ("https://cognito-idp.us-east-1.amazonaws.com/", "cognito-idp", "us-east-1"),
        ("https://portal.sso.eu-west-1.amazonaws.com/x", "portal.sso", "eu-west-1"),
        ("https://codecatalyst.global.api.aws/", "codecatalyst", "us-east-1"),
        ("http://169.254.169.254/latest/meta-data", "169.254.169.254", "us-east-1"),
        ("http://localhost:4566/", "localhost", "us-east-1"),
    ],
)
def test_unsigned_request_is_read_by_its_host(url: str, service: str, region: str) -> None:
    """Without a signature the host says which service and region; one that says neither is given whole."""
    call = read_call(Request("GET", url, {}))

    assert (call.service, call.region, call.access_key) == (service, region, "")


@pytest.mark.parametrize(
    ("scope", "headers", "url", "service", "region"),
    [
        ("eu-west-1/sqs", {}, "http://localhost/", "sqs", "eu-west-1"),
        ("aws-global/s3", {}, "https://s3.amazonaws.com/", "s3", "us-east-1"),
        ("us-east-1/states", {}, "https://states.us-east-1.amazonaws.com/", "states", "us-east-1"),
        (
            "us-east-1/dynamodb",
            {"X-Amz-Target": "DynamoDB_20120810.Scan"},
            "http://localhost/",
            "dynamodb",
            "us-east-1",
        ),
        (
            "us-east-1/dynamodb",
            {"x-amz-target": "DynamoDBStreams_20120810.ListStreams"},
            "http://localhost/",
            "dynamodbstreams",
            "us-east-1",
        ),
        ("us-east-1/s3", {"x-amz-account-id": "1"}, "http://localhost/v20180820/jobs", "s3control", "us-east-1"),
        ("us-east-1/s3", {}, "http://localhost/v20180820/jobs", "s3", "us-east-1"),
    ],
    ids=["sqs", "global", "other", "dynamodb", "streams", "control", "bucket"],
)
def test_signed_request_is_read_by_its_scope(
    scope: str, headers: dict[str, str], url: str, service: str, region: str
) -> None:
    """The signature's scope says it; where two services sign alike, what their requests carry tells them apart."""
    call = read_call(Request("POST", url, {**headers, "authorization": SCOPE.format(scope)}))

    assert (call.service, call.region, call.access_key) == (service, region, "AKIA")


def test_presigned_request_is_read_by_its_query() -> None:
    """A presigned address carries the scope in its query."""
    query = "X-Amz-Credential=AKIA%2F20300102%2Feu-west-1%2Fs3%2Faws4_request&X-Amz-Signature=abc"
    call = read_call(Request("GET", f"http://localhost/tienda/a?{query}", {}))

    assert (call.service, call.region, call.access_key) == ("s3", "eu-west-1", "AKIA")
    assert call.parameters == {"Bucket": "tienda", "Key": "a"}


S3_CALLS: list[tuple[str, dict[str, Any]]] = [
    ("list_buckets", {}),
    ("create_bucket", {"Bucket": "tienda"}),
    ("head_bucket", {"Bucket": "tienda"}),
    ("put_object", {"Bucket": "tienda", "Key": "pedidos/lucía 3.json", "Body": b"{}"}),
    ("get_object", {"Bucket": "tienda", "Key": "pedidos/lucía 3.json"}),
    ("head_object", {"Bucket": "tienda", "Key": "pedidos/lucía 3.json"}),
    ("copy_object", {"Bucket": "tienda", "Key": "copia", "CopySource": "tienda/pedidos/lucía 3.json"}),
    ("create_multipart_upload", {"Bucket": "tienda", "Key": "a"}),
    ("put_bucket_versioning", {"Bucket": "tienda", "VersioningConfiguration": {"Status": "Enabled"}}),
    ("get_bucket_versioning", {"Bucket": "tienda"}),
    ("get_bucket_notification_configuration", {"Bucket": "tienda"}),
    ("put_object_tagging", {"Bucket": "tienda", "Key": "copia", "Tagging": {"TagSet": [{"Key": "a", "Value": "b"}]}}),
    ("delete_object", {"Bucket": "tienda", "Key": "copia"}),
    ("delete_objects", {"Bucket": "tienda", "Delete": {"Objects": [{"Key": "a"}]}}),
]


def test_operations_of_s3_have_their_names(cloud: Cloud) -> None:
    """S3's requests do not name their operation; the trace has the name that the API reference has."""
    s3 = boto3.client("s3")
    names = []
    for operation, parameters in S3_CALLS:
        getattr(s3, operation)(**parameters)
        names.append(s3.meta.method_to_api_mapping[operation])

    assert [step["api"] for step in cloud.trace] == [f"s3:{name}" for name in names]
    assert cloud.trace.steps[3]["name"] == "tienda/pedidos/lucía 3.json"


def test_moto_s_own_fault_is_an_error_and_no_retry(cloud: Cloud, monkeypatch: pytest.MonkeyPatch) -> None:
    """What moto raises by mistake comes as an error of the service, once, and names call and region."""

    def broken(*_: Any) -> None:
        raise KeyError("x")

    routes = [(pattern, broken) for pattern, _ in door._routes("sqs")]
    monkeypatch.setattr(door, "_routes", lambda service: routes)
    with pytest.raises(ClientError) as fault:
        boto3.client("sqs").list_queues()

    assert fault.value.response["Error"]["Code"] == "InternalFailure"
    assert "ListQueues in us-east-1: KeyError: 'x'" in fault.value.response["Error"]["Message"]
    assert fault.value.response["ResponseMetadata"]["RetryAttempts"] == 0


def test_address_that_the_service_has_not(cloud: Cloud) -> None:
    """An address that no service has is answered too."""
    headers = {"authorization": SCOPE.format("us-east-1/sqs")}
    response = cloud._door.handle(Request("GET", "http://localhost/a/b/c/d/e", headers))

    assert response.status == 404


def test_layers_stand_in_order() -> None:
    """The first layer is the outermost; each may look, and hand on or refuse."""
    seen: list[str] = []

    def layer(name: str, hands_on: bool) -> Any:
        def act(call: Any, answer: Any) -> Response:
            seen.append(name)
            return answer(call) if hands_on else error_response(call, 403, "AccessDenied", "no")

        return act

    headers = {"authorization": SCOPE.format("us-east-1/sqs"), "X-Amz-Target": "AmazonSQS.ListQueues"}
    gate = Door([layer("first", True), layer("second", False), layer("third", True)])
    response = gate.handle(Request("POST", "http://localhost/", headers))

    assert seen == ["first", "second"]
    assert (response.status, response.json()["__type"]) == (403, "AccessDenied")


def test_header_s_case_does_not_matter() -> None:
    """Header names are read whatever their case; a missing one is an empty text."""
    request = Request("GET", "http://localhost/", {"X-AMZ-Target": "a"})

    assert (request.header("x-amz-target"), request.header("other")) == ("a", "")
