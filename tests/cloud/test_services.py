"""Every service that boto3 knows and the local cloud has not: refused here, at once, by name, in the service's own protocol."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import boto3
import botocore.session
import pytest
from botocore import UNSIGNED, xform_name
from botocore.config import Config
from botocore.exceptions import ClientError
from botocore.tokens import FrozenAuthToken

import bentocola
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.door import OFFERED

NO_VALIDATION = Config(parameter_validation=False)
UNSIGNED_CALLS = Config(parameter_validation=False, signature_version=UNSIGNED)

# One service a protocol, and those that share an offered service's signing name.
EXAMPLES = {
    "sns": ("query", "list_topics", {}),
    "ec2": ("ec2", "describe_instances", {}),
    "stepfunctions": ("json", "list_state_machines", {}),
    "apigateway": ("rest-json", "get_rest_apis", {}),
    "route53": ("rest-xml", "list_hosted_zones", {}),
    "cloudwatch": ("smithy-rpc-v2-cbor", "list_metrics", {}),
    "dynamodbstreams": ("json", "list_streams", {}),
    "s3control": ("rest-xml", "list_jobs", {"AccountId": "123456789012"}),
    "s3outposts": ("rest-json", "list_outposts_with_s3", {}),
}

# Sign and answer as Lambda itself: only the address of an operation tells that it is not Lambda's.
_SHARES_AN_ADDRESS = {"lambda-core", "lambda-microvms", "lambda-web"}

# What the rules for a service's address ask of a value, where any text will not do.
# With SigV4A, for which boto3 wants a package that the course has not: called unsigned, and named by its host.
_SIGNS_OTHERWISE = {"cloudfront-keyvaluestore": "123456789012.cloudfront-kvs"}
_VALUES = {"KvsARN": "arn:aws:cloudfront::123456789012:key-value-store/a"}


class Tokens:
    """A bearer token for the few services that take nothing else."""

    def load_token(self, **_: object) -> Tokens:
        return self

    def get_frozen_token(self) -> FrozenAuthToken:
        return FrozenAuthToken("a-bearer-token")


@pytest.fixture
def session(cloud: Cloud) -> boto3.Session:
    """A session that has a bearer token as well."""
    inner = botocore.session.Session()
    inner.register_component("token_provider", Tokens())
    return boto3.Session(botocore_session=inner)


def is_named(service: str, client: Any, message: str) -> bool:
    """Whether the message names the service, as boto3 does or as AWS does where it signs and where it answers."""
    model = client.meta.service_model
    names = {service, model.signing_name, model.endpoint_prefix, client._request_signer.signing_name}
    return any(f"'{name}'" in message for name in {*names, _SIGNS_OTHERWISE.get(service)})


def refusal_of(client: Any, operation: str, parameters: dict[str, Any]) -> ClientError:
    """Call the operation, and return the error that it must end with."""
    with pytest.raises(ClientError) as refusal:
        getattr(client, operation)(**parameters)
    return refusal.value


@pytest.mark.parametrize("service", EXAMPLES)
def test_refusal_in_each_protocol(session: boto3.Session, service: str) -> None:
    """The refusal comes out as an error under its code, and its message names the service."""
    protocol, operation, parameters = EXAMPLES[service]
    client = session.client(service)
    refusal = refusal_of(client, operation, parameters)

    assert protocol in client.meta.service_model.metadata.get("protocols", [client.meta.service_model.protocol])
    assert refusal.response["Error"]["Code"] == "ServiceNotOffered"
    assert is_named(service, client, refusal.response["Error"]["Message"])


@pytest.mark.parametrize("service", EXAMPLES)
def test_refusal_in_japanese(service: str) -> None:
    """In the Japanese edition the sentence is Japanese, whatever the protocol makes of its characters."""
    cloud = bentocola.start("ja")
    try:
        _, operation, parameters = EXAMPLES[service]
        refusal = refusal_of(boto3.client(service), operation, parameters)

        assert refusal.response["Error"]["Code"] == "ServiceNotOffered"
        assert "AWSには何も送っていません。" in refusal.response["Error"]["Message"]
    finally:
        cloud.stop()


def test_refusal_is_in_spanish(session: boto3.Session) -> None:
    """The sentence says what is not there, what is, and that nothing was sent."""
    refusal = refusal_of(session.client("apigateway"), "get_rest_apis", {})

    assert refusal.response["Error"]["Message"] == (
        "El servicio 'apigateway' no está en esta nube local. "
        "Tiene estos: S3, SQS, Lambda, DynamoDB, CloudWatch Logs, IAM, STS. No se envió nada a AWS."
    )
    assert refusal.response["ResponseMetadata"]["RetryAttempts"] == 0


@pytest.mark.parametrize(
    ("operation", "parameters"),
    [
        ("write_get_object_response", {"RequestRoute": "a", "RequestToken": "b"}),
        ("get_object", {"Bucket": "tienda--use1-az1--x-s3", "Key": "a"}),
    ],
    ids=["object lambda", "express"],
)
def test_parts_of_s3_that_are_services_of_their_own(
    session: boto3.Session, operation: str, parameters: dict[str, str]
) -> None:
    """What boto3 calls S3 and AWS does not is refused in the same way."""
    assert refusal_of(session.client("s3"), operation, parameters).response["Error"]["Code"] == "ServiceNotOffered"


def test_s3_control_of_a_bucket_on_outposts(session: boto3.Session) -> None:
    """S3 Control may sign as S3 on Outposts, and speaks XML there, where S3 on Outposts itself speaks JSON."""
    parameters = {"AccountId": "123456789012", "OutpostId": "op-01234567890123456"}
    refusal = refusal_of(session.client("s3control"), "list_regional_buckets", parameters)

    assert refusal.response["Error"]["Code"] == "ServiceNotOffered"


def _value(shape: Any, name: str = "", depth: int = 0) -> Any:
    """Return the least that a shape's serialiser takes."""
    if name in _VALUES:
        return _VALUES[name]
    if shape.type_name == "structure":
        return (
            {} if depth > 4 else {name: _value(shape.members[name], name, depth + 1) for name in shape.required_members}
        )
    least = {"list": [], "map": {}, "blob": b"", "boolean": True, "timestamp": 0, "float": 1.0, "double": 1.0}
    return least.get(shape.type_name, 1 if shape.type_name in ("integer", "long") else "a")


def _simplest(client: Any) -> tuple[str, dict[str, Any]]:
    """Return the operation that asks for least, and that least."""
    model = client.meta.service_model
    shapes = {name: model.operation_model(name).input_shape for name in model.operation_names}
    operation = min(shapes, key=lambda name: len(shapes[name].required_members) if shapes[name] else 0)
    return xform_name(operation), _value(shapes[operation]) if shapes[operation] else {}


def _faults(session: boto3.Session) -> Iterator[str]:
    for service in session.get_available_services():
        if service in OFFERED:
            continue
        client = session.client(service, config=UNSIGNED_CALLS if service in _SIGNS_OTHERWISE else NO_VALIDATION)
        operation, parameters = _simplest(client)
        try:
            answer = getattr(client, operation)(**parameters)
        except ClientError as refusal:
            error = refusal.response["Error"]
            if service in _SHARES_AN_ADDRESS and error["Code"] == "UnknownOperationException":
                continue
            if error["Code"] != "ServiceNotOffered" or not is_named(service, client, error["Message"]):
                yield f"{service}.{operation}: {error}"
        except Exception as other:
            yield f"{service}.{operation}: {type(other).__name__}: {other}"
        else:
            yield f"{service}.{operation} answered {answer}"


@pytest.mark.slow
def test_every_service_of_boto3(session: boto3.Session) -> None:
    """One operation of every other service ends with the refusal, and with nothing else."""
    assert list(_faults(session)) == []
