"""Functions as Lambda documents them: https://docs.aws.amazon.com/lambda/latest/api/API_CreateFunction.html and so on."""

from __future__ import annotations

import hashlib
import io
import json
import re
import subprocess
import sys
import zipfile
from base64 import b64encode
from typing import Any

import pytest

from bentocola.cloud.amendments import lambda_code, lambda_functions
from bentocola.cloud.amendments.lambda_requests import Refusal
from bentocola.cloud.cloud import Cloud
from tests.cloud.lambda_scene import ACCOUNT, REGION, TRUST, LambdaScene, archive, refusal

ARN = f"arn:aws:lambda:{REGION}:{ACCOUNT}:function:pedidos"
INVALID = "InvalidParameterValueException"


@pytest.fixture
def scene(cloud: Cloud) -> LambdaScene:
    """A role, and no function yet."""
    return LambdaScene()


@pytest.fixture
def deployed(scene: LambdaScene) -> LambdaScene:
    """With the function `pedidos`."""
    scene.make_function()
    return scene


# Creating


def test_function_is_pending_and_then_active(scene: LambdaScene) -> None:
    """The answer says Pending and why; the first look after it finds Active, as the waiter does without a wait."""
    created = scene.make_function()
    scene.awslambda.get_waiter("function_active_v2").wait(FunctionName="pedidos")
    found = scene.awslambda.get_function(FunctionName="pedidos")["Configuration"]

    assert created["ResponseMetadata"]["HTTPStatusCode"] == 201
    assert (created["State"], created["StateReasonCode"]) == ("Pending", "Creating")
    assert "LastUpdateStatus" not in created
    assert (found["State"], found["LastUpdateStatus"]) == ("Active", "Successful")
    assert "StateReason" not in found


def test_fields_of_a_function(scene: LambdaScene) -> None:
    """Defaults, hash, revision and time are as documented."""
    code = archive()
    created = scene.make_function(Code={"ZipFile": code})

    assert created["FunctionArn"] == ARN
    assert created["CodeSha256"] == b64encode(hashlib.sha256(code).digest()).decode()
    assert created["CodeSize"] == len(code)
    assert (created["Timeout"], created["MemorySize"], created["Version"]) == (3, 128, "$LATEST")
    assert created["LoggingConfig"] == {"LogFormat": "Text", "LogGroup": "/aws/lambda/pedidos"}
    assert re.fullmatch(r"[0-9a-f-]{36}", created["RevisionId"])
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+0000", created["LastModified"])


@pytest.mark.parametrize("name", ["pedidos", ARN, f"{ACCOUNT}:function:pedidos", "function:pedidos", "x" * 64])
def test_forms_of_a_name(scene: LambdaScene, name: str) -> None:
    """A name, an ARN and a partial ARN name the same function, when it is made and afterwards."""
    created = scene.make_function(FunctionName=name)
    found = scene.awslambda.get_function_configuration(FunctionName=name)

    assert created["FunctionName"] == name.rpartition(":")[2]
    assert found["FunctionArn"] == created["FunctionArn"]


NO_NAMES = ["con espacio", "pedidos!", "x" * 65, "a:b:c:d", "注文"]


@pytest.mark.parametrize("name", ["", "a/b", *NO_NAMES])
def test_function_cannot_have_such_a_name(scene: LambdaScene, name: str) -> None:
    """A name outside the pattern, or over 64 characters, is a ValidationException."""
    code, message, status = refusal(scene.awslambda.create_function, **scene.spec(FunctionName=name))

    assert (code, status) == ("ValidationException", 400)
    assert "'functionName' failed to satisfy constraint: Member must" in message


@pytest.mark.parametrize("name", NO_NAMES)
@pytest.mark.parametrize("operation", ["get_function", "delete_function", "publish_version"])
def test_no_function_has_such_a_name(scene: LambdaScene, operation: str, name: str) -> None:
    """Where it stands in the address it is refused as well, and not taken for an unknown function."""
    code, message, status = refusal(getattr(scene.awslambda, operation), FunctionName=name)

    assert (code, status) == ("ValidationException", 400)
    assert "'functionName' failed to satisfy constraint: Member must" in message


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"Timeout": 0}, "ValidationException", "Value '0' at 'timeout' failed .* greater than or equal to 1"),
        ({"Timeout": 1801}, INVALID, "'Timeout' value failed .* less than or equal to 1800"),
        ({"Timeout": 5401}, "ValidationException", "Value '5401' at 'timeout' failed .* less than or equal to 5400"),
        ({"MemorySize": 127}, "ValidationException", "Value '127' at 'memorySize' failed .* or equal to 128"),
        ({"MemorySize": 10241}, INVALID, "'MemorySize' value failed .* less than or equal to 10240"),
        ({"Handler": "a b"}, "ValidationException", r"Value 'a b' at 'handler' failed .* pattern: \[\^\\s\]\+"),
        ({"Handler": "x" * 129}, "ValidationException", "at 'handler' failed .* length less than or equal to 128"),
        ({"Description": "x" * 257}, "ValidationException", "at 'description' failed .* less than or equal to 256"),
        ({"Runtime": "python2"}, INVALID, "Value python2 at 'runtime' failed .* enum value set: .* or be a valid ARN"),
        ({"Runtime": "python3.7"}, INVALID, "The runtime parameter of python3.7 is no longer supported"),
        ({"Runtime": None}, INVALID, "Runtime and Handler are mandatory parameters"),
        ({"Handler": None}, INVALID, "Runtime and Handler are mandatory parameters"),
        ({"Role": "pedidos"}, "ValidationException", "Value 'pedidos' at 'role' failed .* pattern: arn:"),
        ({"Role": None}, "ValidationException", "Value null at 'role' failed .* must not be null"),
        ({"Role": f"arn:aws:iam::{ACCOUNT}:role/nadie"}, INVALID, "The role defined for the function cannot be"),
        ({"Role": "arn:aws:iam::999999999999:role/x"}, "AccessDeniedException", "Cross-account pass role"),
        ({"Architectures": ["z80"]}, "ValidationException", r"Value '\[z80\]' at 'architectures' failed"),
        ({"EphemeralStorage": {"Size": 511}}, "ValidationException", "'511' at 'ephemeralStorage.size' failed"),
        ({"Code": {}}, INVALID, "Please provide a source for function code."),
        ({"Code": None}, "ValidationException", "Value null at 'code' failed"),
        ({"Timeout": "3"}, "SerializationException", "STRING_VALUE can not be converted to an Integer"),
        ({"Timeout": True}, "SerializationException", "TRUE_VALUE can not be converted to an Integer"),
        ({"Handler": 7}, "SerializationException", "NUMBER_VALUE can not be converted to a String"),
        ({"Handler": ["app.handler"]}, "SerializationException", "Start of list found where not expected"),
    ],
)
def test_bad_parameter(scene: LambdaScene, changes: dict[str, Any], code: str, message: str) -> None:
    """Each is refused with its code and AWS's words, and makes nothing."""
    body = {name: value for name, value in scene.spec(**changes).items() if value is not None}
    if "Code" in body and "ZipFile" in body["Code"]:
        body["Code"] = {"ZipFile": b64encode(body["Code"]["ZipFile"]).decode()}
    got_code, got_message, _ = raw(scene, "POST", "/2015-03-31/functions", body)

    assert (got_code, bool(re.search(message, got_message))) == (code, True), got_message
    assert scene.awslambda.list_functions()["Functions"] == []


def raw(scene: LambdaScene, method: str, path: str, body: Any) -> tuple[str, str, int]:
    """Send a request as it is, past all that boto3 makes of parameters, and return how it is refused."""
    from bentocola.cloud.door import Door, Request

    text = body if isinstance(body, bytes) else json.dumps(body).encode()
    scope = f"AWS4-HMAC-SHA256 Credential=test/20260101/{REGION}/lambda/aws4_request"
    request = Request(method, f"https://lambda.{REGION}.amazonaws.com{path}", {"Authorization": scope}, text)
    response = Door().handle(request)
    answered = response.json()
    return response.headers["x-amzn-ErrorType"], answered.get("message") or answered["Message"], response.status


def test_several_problems_are_counted(scene: LambdaScene) -> None:
    """One refusal names them all."""
    _, message, _ = refusal(scene.awslambda.create_function, **scene.spec(Timeout=0, MemorySize=1))

    assert message.startswith("2 validation errors detected: Value '0' at 'timeout'")


def test_body_that_is_no_json(scene: LambdaScene) -> None:
    """It cannot be parsed, and the refusal says so."""
    code, message, status = raw(scene, "POST", "/2015-03-31/functions", b"{")

    assert (code, status) == ("InvalidRequestContentException", 400)
    assert message.startswith("Could not parse request body into json")
    assert raw(scene, "POST", "/2015-03-31/functions", b"[]")[0] == "SerializationException"


@pytest.mark.parametrize("runtime", ["nodejs24.x", "java25", "python3.15", "provided.al2023"])
def test_runtime_that_only_aws_has(scene: LambdaScene, runtime: str) -> None:
    """A function for another language can be made, though it cannot run here."""
    assert scene.make_function(Runtime=runtime)["Runtime"] == runtime


def test_existing_name(deployed: LambdaScene) -> None:
    """A second function of the name is a conflict."""
    assert refusal(deployed.awslambda.create_function, **deployed.spec()) == (
        "ResourceConflictException",
        "Function already exist: pedidos",
        409,
    )


@pytest.mark.parametrize(
    "statement",
    [
        {"Effect": "Allow", "Principal": {"Service": "ec2.amazonaws.com"}, "Action": "sts:AssumeRole"},
        {"Effect": "Deny", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:AssumeRole"},
        {"Effect": "Allow", "Principal": {"Service": "lambda.amazonaws.com"}, "Action": "sts:TagSession"},
    ],
)
def test_role_that_does_not_trust_lambda(scene: LambdaScene, statement: dict[str, Any]) -> None:
    """Its trust policy has to name lambda.amazonaws.com, when a function is made and when it is changed."""
    role = scene.make_role("otro", {**TRUST, "Statement": [statement]})
    expected = (INVALID, "The role defined for the function cannot be assumed by Lambda.", 400)

    assert refusal(scene.awslambda.create_function, **scene.spec(Role=role)) == expected
    scene.make_function()
    assert refusal(scene.awslambda.update_function_configuration, FunctionName="pedidos", Role=role) == expected


def test_role_that_trusts_lambda_among_others(scene: LambdaScene) -> None:
    """A list of services, and of actions, will do."""
    statement = {
        "Effect": "Allow",
        "Principal": {"Service": ["ec2.amazonaws.com", "lambda.amazonaws.com"]},
        "Action": ["sts:AssumeRole", "sts:TagSession"],
    }

    assert scene.make_function(Role=scene.make_role("otro", {**TRUST, "Statement": statement}))["State"] == "Pending"


@pytest.mark.parametrize(
    ("variables", "code", "message"),
    [
        ({"AWS_REGION": "x", "AWS_ACCESS_KEY_ID": "y"}, INVALID, "in this request: AWS_ACCESS_KEY_ID, AWS_REGION$"),
        ({"1x": "x"}, "ValidationException", r"Value at 'environment.variables' failed .* Map keys must satisfy"),
        ({"_X": "x"}, "ValidationException", "Map keys must satisfy"),
        ({"TEXT": "x" * 4086}, INVALID, r"exceeded the 4KB limit\. String measured: \{\"TEXT\":"),
    ],
)
def test_environment_that_cannot_be(deployed: LambdaScene, variables: dict[str, str], code: str, message: str) -> None:
    """Reserved keys, keys outside the pattern and more than 4 KB are refused, new and in an update."""
    environment = {"Variables": variables}
    for call, parameters in (
        (deployed.awslambda.create_function, deployed.spec(FunctionName="otra", Environment=environment)),
        (deployed.awslambda.update_function_configuration, {"FunctionName": "pedidos", "Environment": environment}),
    ):
        got_code, got_message, _ = refusal(call, **parameters)

        assert (got_code, bool(re.search(message, got_message))) == (code, True), got_message


def test_environment_of_4_kb(scene: LambdaScene) -> None:
    """4,096 bytes as JSON is not more than 4 KB."""
    assert scene.make_function(Environment={"Variables": {"TEXT": "x" * 4085}})


# Code


def test_code_that_is_no_zip(deployed: LambdaScene) -> None:
    """It cannot be unzipped, whoever sends it; an archive that is cut or has a wrong checksum neither."""
    good = archive(app="x = 1\n" * 100)
    broken = bytearray(good)
    broken[good.index(b"x = 1") + 2] ^= 1
    for code in (b"not a zip", good[:-30], bytes(broken)):
        expected = (INVALID, "Could not unzip uploaded file. Please check your file, then try to upload again.", 400)

        assert refusal(deployed.awslambda.update_function_code, FunctionName="pedidos", ZipFile=code) == expected
        assert (
            refusal(deployed.awslambda.create_function, **deployed.spec(FunctionName="otra", Code={"ZipFile": code}))
            == expected
        )


def test_empty_code(scene: LambdaScene) -> None:
    """No byte, or an archive without a file in it."""
    empty = io.BytesIO()
    zipfile.ZipFile(empty, "w").close()
    for code in (b"", empty.getvalue()):
        assert refusal(scene.awslambda.create_function, **scene.spec(Code={"ZipFile": code})) == (
            INVALID,
            "Uploaded file must be a non-empty zip",
            400,
        )


def test_code_that_is_too_large(scene: LambdaScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over 50 MB in the request is too large an entity; over 250 MB unpacked is an invalid parameter."""
    large = bytearray(archive())
    size = large.index(b"PK\x01\x02") + 24  # the unpacked size in the archive's directory, APPNOTE.TXT 4.3.12
    large[size : size + 4] = (262_144_001).to_bytes(4, "little")
    unzipped = refusal(scene.awslambda.create_function, **scene.spec(Code={"ZipFile": bytes(large)}))
    monkeypatch.setattr(lambda_code, "ZIPPED_MAXIMUM", 10)
    zipped = refusal(scene.awslambda.create_function, **scene.spec())

    assert unzipped == (INVALID, "Unzipped size must be smaller than 262144000 bytes", 400)
    assert zipped == (
        "RequestEntityTooLargeException",
        "Request must be smaller than 70167211 bytes for the CreateFunction operation",
        413,
    )


def test_code_from_s3(scene: LambdaScene) -> None:
    """The object's bytes are the code; of a versioned one, the version's."""
    scene.s3.create_bucket(Bucket="codigo")
    scene.s3.put_bucket_versioning(Bucket="codigo", VersioningConfiguration={"Status": "Enabled"})
    first = scene.s3.put_object(Bucket="codigo", Key="app.zip", Body=archive(app="v = 1"))["VersionId"]
    scene.s3.put_object(Bucket="codigo", Key="app.zip", Body=archive(app="v = 2"))
    scene.make_function(Code={"S3Bucket": "codigo", "S3Key": "app.zip"})

    assert lambda_functions.function(REGION, "pedidos").code == archive(app="v = 2")
    scene.awslambda.update_function_code(
        FunctionName="pedidos", S3Bucket="codigo", S3Key="app.zip", S3ObjectVersion=first
    )
    assert lambda_functions.function(REGION, "pedidos").code == archive(app="v = 1")


@pytest.mark.parametrize(
    ("bucket", "key", "expected"),
    [
        ("nadie", "app.zip", "S3 Error Code: NoSuchBucket. S3 Error Message: The specified bucket does not exist"),
        ("codigo", "no.zip", "S3 Error Code: NoSuchKey. S3 Error Message: The specified key does not exist."),
        ("lejos", "app.zip", "S3 Error Code: PermanentRedirect. S3 Error Message: The bucket is in this region: eu-"),
        ("codigo", "app.txt", "Could not unzip uploaded file."),
    ],
)
def test_code_that_is_not_in_s3(deployed: LambdaScene, bucket: str, key: str, expected: str) -> None:
    """No bucket, no key, another region, no zip: refused, new and in an update."""
    deployed.s3.create_bucket(Bucket="codigo")
    deployed.s3.put_object(Bucket="codigo", Key="app.txt", Body=b"text")
    deployed.s3.create_bucket(Bucket="lejos", CreateBucketConfiguration={"LocationConstraint": "eu-west-1"})
    place = {"S3Bucket": bucket, "S3Key": key}
    for code, message, _ in (
        refusal(deployed.awslambda.create_function, **deployed.spec(FunctionName="otra", Code=place)),
        refusal(deployed.awslambda.update_function_code, FunctionName="pedidos", **place),
    ):
        assert (code, expected in message) == (INVALID, True), message


def test_code_from_two_places(scene: LambdaScene) -> None:
    """A zip and an object in S3 exclude each other."""
    code = {"ZipFile": archive(), "S3Bucket": "codigo", "S3Key": "app.zip"}

    assert (
        "Please do not provide other FunctionCode"
        in refusal(scene.awslambda.create_function, **scene.spec(Code=code))[1]
    )


# Changing


def test_update_is_in_progress_and_then_successful(deployed: LambdaScene) -> None:
    """The answer says InProgress, the next look Successful, for code and configuration; each makes a revision."""
    before = deployed.awslambda.get_function_configuration(FunctionName="pedidos")
    configured = deployed.awslambda.update_function_configuration(FunctionName="pedidos", Timeout=7)
    deployed.awslambda.get_waiter("function_updated_v2").wait(FunctionName="pedidos")
    coded = deployed.awslambda.update_function_code(FunctionName="pedidos", ZipFile=archive(app="v = 2"))
    after = deployed.awslambda.get_function_configuration(FunctionName="pedidos")

    assert [one["LastUpdateStatus"] for one in (configured, coded, after)] == ["InProgress", "InProgress", "Successful"]
    assert (after["Timeout"], after["CodeSha256"] != before["CodeSha256"]) == (7, True)
    assert len({one["RevisionId"] for one in (before, configured, coded)}) == 3
    assert after["RevisionId"] == coded["RevisionId"]


def test_revision_must_be_the_latest(deployed: LambdaScene) -> None:
    """With another RevisionId nothing changes; with the latest it does."""
    latest = deployed.awslambda.get_function_configuration(FunctionName="pedidos")["RevisionId"]
    for call, change in (
        (deployed.awslambda.update_function_code, {"ZipFile": archive(app="v = 2")}),
        (deployed.awslambda.update_function_configuration, {"Timeout": 9}),
        (deployed.awslambda.publish_version, {}),
    ):
        code, message, status = refusal(call, FunctionName="pedidos", RevisionId="old", **change)

        assert (code, status) == ("PreconditionFailedException", 412)
        assert "RevisionId provided does not match the latest RevisionId" in message
    assert deployed.awslambda.get_function_configuration(FunctionName="pedidos")["RevisionId"] == latest
    deployed.awslambda.update_function_configuration(FunctionName="pedidos", Timeout=9, RevisionId=latest)


def test_dry_run_changes_nothing(deployed: LambdaScene) -> None:
    """It checks the code, and leaves the function as it is."""
    before = deployed.awslambda.get_function_configuration(FunctionName="pedidos")
    deployed.awslambda.update_function_code(FunctionName="pedidos", ZipFile=archive(app="v = 2"), DryRun=True)

    assert (
        "unzip"
        in refusal(deployed.awslambda.update_function_code, FunctionName="pedidos", ZipFile=b"x", DryRun=True)[1]
    )
    after = deployed.awslambda.get_function_configuration(FunctionName="pedidos")
    assert (after["CodeSha256"], after["RevisionId"]) == (before["CodeSha256"], before["RevisionId"])


def test_update_of_every_setting(deployed: LambdaScene) -> None:
    """What is given is changed, and what is not stays; an empty environment empties it."""
    deployed.awslambda.update_function_configuration(
        FunctionName="pedidos",
        Environment={"Variables": {"MESA": "1"}},
        EphemeralStorage={"Size": 1024},
        LoggingConfig={"LogGroup": "/otro"},
        TracingConfig={"Mode": "Active"},
    )
    found = deployed.awslambda.get_function_configuration(FunctionName="pedidos")
    deployed.awslambda.update_function_configuration(FunctionName="pedidos", Environment={})

    assert found["Environment"] == {"Variables": {"MESA": "1"}}
    assert (found["EphemeralStorage"], found["LoggingConfig"]["LogGroup"]) == ({"Size": 1024}, "/otro")
    assert (found["Handler"], found["TracingConfig"]) == ("app.handler", {"Mode": "Active"})
    assert "Environment" not in deployed.awslambda.get_function_configuration(FunctionName="pedidos")
    assert lambda_functions.function(REGION, "pedidos").log_group == "/otro"


def test_update_that_is_too_large(deployed: LambdaScene) -> None:
    """A configuration request has to be smaller than 5,120 bytes."""
    layers = [f"arn:aws:lambda:{REGION}:{ACCOUNT}:layer:{'x' * 100}:{number}" for number in range(60)]
    code, message, status = refusal(
        deployed.awslambda.update_function_configuration, FunctionName="pedidos", Layers=layers
    )

    assert (code, status) == ("RequestEntityTooLargeException", 413)
    assert message == "Request must be smaller than 5120 bytes for the UpdateFunctionConfiguration operation"


# Looking, deleting


@pytest.mark.parametrize(
    "operation",
    [
        "get_function",
        "get_function_configuration",
        "delete_function",
        "publish_version",
        "list_versions_by_function",
        "list_aliases",
        "get_function_concurrency",
        "update_function_configuration",
    ],
)
def test_unknown_function(scene: LambdaScene, operation: str) -> None:
    """Every operation says which function there is not."""
    assert refusal(getattr(scene.awslambda, operation), FunctionName="pedidos") == (
        "ResourceNotFoundException",
        f"Function not found: {ARN}",
        404,
    )


def test_unknown_qualifiers(deployed: LambdaScene) -> None:
    """A version, an alias, and two qualifiers that contradict each other."""
    get = deployed.awslambda.get_function

    assert refusal(get, FunctionName="pedidos", Qualifier="7")[1] == f"Function not found: {ARN}:7"
    assert refusal(get, FunctionName="pedidos:vivo")[1] == f"Cannot find alias arn: {ARN}:vivo"
    assert refusal(get, FunctionName="pedidos:1", Qualifier="2") == (
        INVALID,
        "The derived qualifier from the function name does not match the specified qualifier.",
        400,
    )


def test_function_elsewhere(deployed: LambdaScene) -> None:
    """Another region's, and another account's, function is out of reach."""
    get = deployed.awslambda.get_function

    assert refusal(get, FunctionName=ARN.replace(REGION, "eu-west-1")) == (
        "ResourceNotFoundException",
        f"Functions from 'eu-west-1' are not reachable in this region ('{REGION}')",
        404,
    )
    assert refusal(get, FunctionName=ARN.replace(ACCOUNT, "999999999999"))[0::2] == ("AccessDeniedException", 403)


def test_qualifier_in_the_answer(deployed: LambdaScene) -> None:
    """The ARN says the version or alias that was asked for."""
    deployed.awslambda.publish_version(FunctionName="pedidos")
    deployed.awslambda.create_alias(FunctionName="pedidos", Name="vivo", FunctionVersion="1")
    for qualifier, version in (("$LATEST", "$LATEST"), ("1", "1"), ("vivo", "1")):
        found = deployed.awslambda.get_function(FunctionName="pedidos", Qualifier=qualifier)["Configuration"]

        assert (found["FunctionArn"], found["Version"]) == (f"{ARN}:{qualifier}", version)


def test_deletion(deployed: LambdaScene) -> None:
    """The function is gone with its versions and aliases; its name can be used again and has none of them."""
    deployed.awslambda.publish_version(FunctionName="pedidos")
    deployed.awslambda.create_alias(FunctionName="pedidos", Name="vivo", FunctionVersion="1")

    assert refusal(deployed.awslambda.delete_function, FunctionName="pedidos", Qualifier="$LATEST")[0] == INVALID
    assert refusal(deployed.awslambda.delete_function, FunctionName="pedidos:1")[0] == "ResourceConflictException"
    deployed.awslambda.delete_function(FunctionName="pedidos")
    deployed.make_function()
    assert deployed.awslambda.list_aliases(FunctionName="pedidos")["Aliases"] == []
    assert deployed.awslambda.publish_version(FunctionName="pedidos")["Version"] == "1"


def test_list_in_pages(scene: LambdaScene) -> None:
    """At most 50 a page, or MaxItems; without the fields that a list leaves out; with `ALL` every version."""
    for number in range(52):
        scene.make_function(FunctionName=f"f{number:02d}")
    scene.awslambda.publish_version(FunctionName="f00")
    first = scene.awslambda.list_functions()
    second = scene.awslambda.list_functions(Marker=first["NextMarker"])
    small = scene.awslambda.list_functions(MaxItems=3)
    every = [
        one["FunctionArn"]
        for page in scene.awslambda.get_paginator("list_functions").paginate(FunctionVersion="ALL")
        for one in page["Functions"]
    ]

    assert (len(first["Functions"]), len(second["Functions"]), len(small["Functions"])) == (50, 2, 3)
    assert "NextMarker" not in second
    assert not {"State", "LastUpdateStatus"} & set(first["Functions"][0])
    assert len(every) == 53
    assert every[:2] == [ARN.replace("pedidos", "f00:$LATEST"), ARN.replace("pedidos", "f00:1")]
    assert refusal(scene.awslambda.list_functions, MaxItems=0)[0] == "ValidationException"


# Versions and aliases


def test_version_is_published_only_after_a_change(deployed: LambdaScene) -> None:
    """Without a change the last version is answered again, also after a change that was published."""
    publish = deployed.awslambda.publish_version
    first, again = (publish(FunctionName="pedidos")["Version"] for _ in range(2))
    deployed.awslambda.update_function_configuration(FunctionName="pedidos", Timeout=7)
    second, once_more = (publish(FunctionName="pedidos")["Version"] for _ in range(2))

    assert (first, again, second, once_more) == ("1", "1", "2", "2")


def test_change_before_the_first_version_is_no_change_after_it(deployed: LambdaScene) -> None:
    """A function that was changed, and then published for the first time, has nothing new to publish."""
    deployed.awslambda.update_function_configuration(FunctionName="pedidos", Timeout=7)

    assert [deployed.awslambda.publish_version(FunctionName="pedidos")["Version"] for _ in range(2)] == ["1", "1"]


def test_version_number_is_used_once(deployed: LambdaScene) -> None:
    """A deleted version's number does not come back."""
    deployed.awslambda.publish_version(FunctionName="pedidos")
    deployed.awslambda.delete_function(FunctionName="pedidos", Qualifier="1")
    published = deployed.awslambda.publish_version(FunctionName="pedidos")

    assert (published["Version"], published["FunctionArn"]) == ("2", f"{ARN}:2")


def test_version_does_not_change(deployed: LambdaScene) -> None:
    """What is published stays as it was, and cannot be updated."""
    deployed.awslambda.update_function_code(FunctionName="pedidos", ZipFile=archive(app="v = 1"), Publish=True)
    deployed.awslambda.update_function_code(FunctionName="pedidos", ZipFile=archive(app="v = 2"))

    assert lambda_functions.function(REGION, "pedidos", "1").code == archive(app="v = 1")
    assert lambda_functions.function(REGION, "pedidos").code == archive(app="v = 2")
    code, message, _ = refusal(deployed.awslambda.update_function_configuration, FunctionName="pedidos:1", Timeout=9)
    assert (code, "Aliases and versions do not support" in message) == (INVALID, True)


def test_publishing_other_code_than_meant(deployed: LambdaScene) -> None:
    """CodeSha256 has to be the code's."""
    code, message, _ = refusal(deployed.awslambda.publish_version, FunctionName="pedidos", CodeSha256="x")

    assert (code, "CodeSHA256 (x) is different from current CodeSHA256" in message) == (INVALID, True)


def test_alias_operations(deployed: LambdaScene) -> None:
    """Create, get, move, list and delete, with the documented status, and refusals for what is not there."""
    client = deployed.awslambda
    client.publish_version(FunctionName="pedidos")
    created = client.create_alias(FunctionName="pedidos", Name="vivo", FunctionVersion="1")

    assert client.get_alias(FunctionName="pedidos", Name="vivo")["ResponseMetadata"]["HTTPStatusCode"] == 200
    assert refusal(client.create_alias, FunctionName="pedidos", Name="vivo", FunctionVersion="1")[0::2] == (
        "ResourceConflictException",
        409,
    )
    assert (
        refusal(client.create_alias, FunctionName="pedidos", Name="x", FunctionVersion="9")[0]
        == "ResourceNotFoundException"
    )
    assert (
        refusal(client.create_alias, FunctionName="pedidos", Name="12", FunctionVersion="1")[0] == "ValidationException"
    )
    moved = client.update_alias(FunctionName="pedidos", Name="vivo", FunctionVersion="$LATEST")
    assert (moved["FunctionVersion"], moved["RevisionId"] != created["RevisionId"]) == ("$LATEST", True)
    assert [one["Name"] for one in client.list_aliases(FunctionName="pedidos")["Aliases"]] == ["vivo"]
    client.delete_alias(FunctionName="pedidos", Name="vivo")
    assert refusal(client.get_alias, FunctionName="pedidos", Name="vivo")[1] == f"Cannot find alias arn: {ARN}:vivo"


# Concurrency, asynchronous events


def test_reserved_concurrency(deployed: LambdaScene) -> None:
    """0 is kept and shown; what leaves less than 100 to the account is refused; without one, nothing is said."""
    client = deployed.awslambda

    assert "ReservedConcurrentExecutions" not in client.get_function_concurrency(FunctionName="pedidos")
    client.put_function_concurrency(FunctionName="pedidos", ReservedConcurrentExecutions=0)
    assert client.get_function(FunctionName="pedidos")["Concurrency"] == {"ReservedConcurrentExecutions": 0}
    assert lambda_functions.reserved_concurrency(REGION, "pedidos") == 0
    refused = refusal(client.put_function_concurrency, FunctionName="pedidos", ReservedConcurrentExecutions=901)
    assert (refused[0], "below its minimum value of [100]" in refused[1]) == (INVALID, True)
    client.delete_function_concurrency(FunctionName="pedidos")
    assert lambda_functions.reserved_concurrency(REGION, "pedidos") is None


def test_event_invoke_config(deployed: LambdaScene) -> None:
    """Put overwrites, update adds, the bounds hold, and a function without one says so."""
    client = deployed.awslambda
    get, put = client.get_function_event_invoke_config, client.put_function_event_invoke_config

    assert refusal(get, FunctionName="pedidos") == (
        "ResourceNotFoundException",
        f"The function {ARN}:$LATEST doesn't have an EventInvokeConfig",
        404,
    )
    assert (
        lambda_functions.retry_attempts(REGION, "pedidos"),
        lambda_functions.maximum_event_age(REGION, "pedidos"),
    ) == (2, 21600)
    assert refusal(put, FunctionName="pedidos", MaximumRetryAttempts=3)[0] == "ValidationException"
    assert refusal(put, FunctionName="pedidos", MaximumEventAgeInSeconds=59)[0] == "ValidationException"
    put(FunctionName="pedidos", MaximumRetryAttempts=1, MaximumEventAgeInSeconds=60)
    put(FunctionName="pedidos", MaximumRetryAttempts=0)
    assert "MaximumEventAgeInSeconds" not in get(FunctionName="pedidos")
    client.update_function_event_invoke_config(FunctionName="pedidos", MaximumEventAgeInSeconds=90)
    assert lambda_functions.retry_attempts(REGION, "pedidos") == 0
    assert lambda_functions.maximum_event_age(REGION, "pedidos") == 90
    client.delete_function_event_invoke_config(FunctionName="pedidos")
    assert client.list_function_event_invoke_configs(FunctionName="pedidos")["FunctionEventInvokeConfigs"] == []


# What the cloud sees, and what moto no longer does


def test_look_at_a_function(scene: LambdaScene) -> None:
    """The look has all that is needed to run it, at the version that an alias stands for."""
    scene.make_function(Environment={"Variables": {"MESA": "1"}}, Timeout=7, MemorySize=256, Publish=True)
    scene.awslambda.create_alias(FunctionName="pedidos", Name="vivo", FunctionVersion="1")
    spec = lambda_functions.function(REGION, f"{ARN}:vivo")

    assert (spec.arn, spec.name, spec.version, spec.region) == (f"{ARN}:vivo", "pedidos", "1", REGION)
    assert (spec.runtime, spec.handler, spec.timeout, spec.memory) == ("python3.13", "app.handler", 7, 256)
    assert (spec.code, dict(spec.environment), spec.role_arn) == (archive(), {"MESA": "1"}, scene.role)
    assert spec.log_group == "/aws/lambda/pedidos"


@pytest.mark.parametrize("region", [REGION, "eu-west-1", "mars-1"])
def test_look_at_no_function(cloud: Cloud, region: str) -> None:
    """It is refused as Lambda would, anywhere."""
    with pytest.raises(Refusal, match="Function not found") as refused:
        lambda_functions.function(region, "nadie")

    assert (refused.value.code, refused.value.status) == ("ResourceNotFoundException", 404)


def test_moto_runs_nothing(deployed: LambdaScene, monkeypatch: pytest.MonkeyPatch) -> None:
    """An event from within another service is handed on, Docker is not looked for, and no log appears."""
    from moto.awslambda.models import lambda_backends

    events: list[tuple[str, str]] = []
    monkeypatch.setattr(lambda_functions, "on_event", lambda arn, event: events.append((arn, event)))
    monkeypatch.setitem(sys.modules, "docker", None)
    backend = lambda_backends[ACCOUNT][REGION]

    assert backend.get_function("pedidos").invoke('{"a": 1}', {}, {}) == ""
    assert backend.get_function("pedidos")._invoke_lambda("{}") == ("", False, "")
    assert events == [(ARN, '{"a": 1}')]
    assert "/aws/lambda/pedidos" not in backend.get_function("pedidos").logs_backend.groups


def test_lambda_is_imported_when_it_is_asked() -> None:
    """Installing the amendments imports nothing of moto's Lambda; importing that finds them in force, and Docker nowhere."""
    code = (
        "import sys\n"
        "from bentocola.cloud.amendments import lambda_functions, lambda_mappings\n"
        "lambda_functions.install(); lambda_mappings.install(); lambda_mappings.install()\n"
        "assert not any(name.startswith('moto.awslambda') for name in sys.modules)\n"
        "assert lambda_mappings.mappings() == []\n"
        "import moto.awslambda.urls as urls\n"
        "from moto.awslambda.responses import LambdaResponse\n"
        "assert LambdaResponse.create_function.__module__.startswith('bentocola'), LambdaResponse.create_function\n"
        "assert set(lambda_functions._ADDRESSES) < set(urls.url_paths)\n"
        "assert 'docker' not in sys.modules\n"
        "lambda_functions.install(); lambda_functions.self_test(); lambda_mappings.self_test()\n"
    )

    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr


def test_self_test_names_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    """A moto without one of the replaced methods is noticed."""
    from moto.awslambda.responses import LambdaResponse

    lambda_functions.self_test()
    monkeypatch.delattr(LambdaResponse, "publish_version")
    with pytest.raises(TypeError, match="publish_version"):
        lambda_functions.self_test()
