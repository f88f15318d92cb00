"""What a policy document says to one request: the grammar, conditions and variables that AWS documents."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bentocola.cloud.policies import Asked, Principal, Verdict, lets_service, read

ANA = Principal("arn:aws:iam::123456789012:user/ana", "123456789012")
BUCKET = "arn:aws:s3:::uploads"


def judged(
    statement: dict[str, Any], action: str = "s3:GetObject", resource: str = f"{BUCKET}/a", **more: Any
) -> Verdict:
    """What a document of one statement says to ana."""
    context = {name.lower(): value for name, value in more.pop("context", {}).items()}
    document = {"Version": more.pop("version", "2012-10-17"), "Statement": [{"Effect": "Allow", **statement}]}
    asked = Asked(action, resource, more.pop("principal", ANA), lambda: context, **more)
    return read(json.dumps(document)).judge(asked)


def grants(statement: dict[str, Any], *arguments: Any, **more: Any) -> bool:
    return bool(judged(statement, *arguments, **more).grants)


@pytest.mark.parametrize(
    ("pattern", "action", "matches"),
    [
        ("s3:GetObject", "s3:GetObject", True),
        ("S3:getobject", "s3:GetObject", True),
        ("s3:Get*", "s3:GetObject", True),
        ("s3:Get?bject", "s3:GetObject", True),
        ("*", "s3:GetObject", True),
        ("s3:Get", "s3:GetObject", False),
        ("s3.GetObject", "s3:GetObject", False),
        ("s3:.*", "s3:GetObject", False),
    ],
)
def test_action(pattern: str, action: str, matches: bool) -> None:
    """Wildcards, any case, and nothing of a regular expression."""
    assert grants({"Action": pattern, "Resource": "*"}, action) is matches
    assert grants({"NotAction": [pattern], "Resource": "*"}, action) is not matches


@pytest.mark.parametrize(
    ("pattern", "matches"),
    [
        (f"{BUCKET}/a", True),
        (f"{BUCKET}/?", True),
        ("arn:aws:s3:::up*", True),
        (["arn:aws:s3:::other/*", f"{BUCKET}/*"], True),
        (BUCKET, False),
        (f"{BUCKET}/A", False),
        ([], False),
    ],
)
def test_resource(pattern: Any, matches: bool) -> None:
    """An object is not its bucket, and case counts."""
    assert grants({"Action": "s3:*", "Resource": pattern}) is matches
    assert grants({"Action": "s3:*", "NotResource": pattern}) is not matches


def test_action_without_a_resource_needs_the_star() -> None:
    """As the service authorization reference says of ListTables: only `*` covers it."""
    statement = {"Action": "dynamodb:ListTables"}

    assert grants({**statement, "Resource": "*"}, "dynamodb:ListTables", "*")
    assert not grants({**statement, "Resource": "arn:aws:dynamodb:*"}, "dynamodb:ListTables", "*")


def test_deny_stands_beside_the_grant() -> None:
    """An explicit Deny is told apart from what nothing allows."""
    document = json.dumps(
        {
            "Version": "2012-10-17",
            "Statement": [
                {"Effect": "Allow", "Action": "*", "Resource": "*"},
                {"Effect": "Deny", "Action": "s3:*", "Resource": "*"},
            ],
        }
    )

    verdict = read(document).judge(Asked("s3:GetObject", BUCKET, ANA))

    assert (verdict.denied, verdict.grants) == (True, {"self"})


@pytest.mark.parametrize(
    ("condition", "context", "holds"),
    [
        ({"StringEquals": {"s3:prefix": "in/"}}, {"s3:prefix": ("in/",)}, True),
        ({"StringEquals": {"S3:Prefix": ["out/", "in/"]}}, {"s3:prefix": ("in/",)}, True),
        ({"StringEquals": {"s3:prefix": "IN/"}}, {"s3:prefix": ("in/",)}, False),
        ({"StringEqualsIgnoreCase": {"s3:prefix": "IN/"}}, {"s3:prefix": ("in/",)}, True),
        ({"StringNotEquals": {"s3:prefix": ["in/", "out/"]}}, {"s3:prefix": ("in/",)}, False),
        ({"StringNotEquals": {"s3:prefix": ["out/"]}}, {"s3:prefix": ("in/",)}, True),
        ({"StringLike": {"s3:prefix": "i*"}}, {"s3:prefix": ("in/",)}, True),
        ({"StringNotLike": {"s3:prefix": "i*"}}, {"s3:prefix": ("in/",)}, False),
        # A key that the request does not have.
        ({"StringEquals": {"s3:prefix": "in/"}}, {}, False),
        ({"StringNotEquals": {"s3:prefix": "in/"}}, {}, True),
        ({"StringEqualsIfExists": {"s3:prefix": "in/"}}, {}, True),
        ({"Null": {"s3:prefix": "true"}}, {}, True),
        ({"Null": {"s3:prefix": False}}, {}, False),
        ({"Null": {"s3:prefix": "false"}}, {"s3:prefix": ("in/",)}, True),
        ({"BoolIfExists": {"aws:MultiFactorAuthPresent": "true"}}, {}, True),
        ({"Bool": {"aws:SecureTransport": True}}, {"aws:SecureTransport": ("true",)}, True),
        ({"Bool": {"aws:SecureTransport": "false"}}, {"aws:SecureTransport": ("true",)}, False),
        ({"NumericLessThanEquals": {"s3:max-keys": "10"}}, {"s3:max-keys": ("10",)}, True),
        ({"NumericLessThan": {"s3:max-keys": 10}}, {"s3:max-keys": ("10",)}, False),
        ({"NumericEquals": {"s3:max-keys": "10"}}, {"s3:max-keys": ("ten",)}, False),
        (
            {"DateGreaterThan": {"aws:CurrentTime": "2026-01-01T00:00:00Z"}},
            {"aws:CurrentTime": ("2026-02-01T00:00:00Z",)},
            True,
        ),
        ({"DateLessThan": {"aws:CurrentTime": "2026-01-01"}}, {"aws:CurrentTime": ("2026-02-01T00:00:00Z",)}, False),
        ({"DateLessThan": {"aws:EpochTime": "1900000000"}}, {"aws:EpochTime": ("1800000000",)}, True),
        ({"IpAddress": {"aws:SourceIp": ["10.0.0.0/8", "127.0.0.1"]}}, {"aws:SourceIp": ("127.0.0.1",)}, True),
        ({"NotIpAddress": {"aws:SourceIp": "127.0.0.0/8"}}, {"aws:SourceIp": ("127.0.0.1",)}, False),
        ({"ArnLike": {"aws:PrincipalArn": "arn:aws:iam::*:user/a*"}}, {"aws:PrincipalArn": (ANA.arn,)}, True),
        ({"ArnEquals": {"aws:PrincipalArn": "arn:aws:*:user/ana"}}, {"aws:PrincipalArn": (ANA.arn,)}, False),
        ({"ArnNotLike": {"aws:PrincipalArn": "arn:aws:iam::*:user/e*"}}, {"aws:PrincipalArn": (ANA.arn,)}, True),
        # Keys with several values.
        (
            {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["a", "b"]}},
            {"dynamodb:LeadingKeys": ("a", "b")},
            True,
        ),
        ({"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["a"]}}, {"dynamodb:LeadingKeys": ("a", "b")}, False),
        ({"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["a"]}}, {}, True),
        ({"ForAnyValue:StringEquals": {"dynamodb:LeadingKeys": ["a"]}}, {"dynamodb:LeadingKeys": ("a", "b")}, True),
        ({"ForAnyValue:StringEquals": {"dynamodb:LeadingKeys": ["a"]}}, {}, False),
        ({"ForAnyValue:StringNotEquals": {"dynamodb:LeadingKeys": ["a"]}}, {}, False),
        # All conditions of a statement must hold.
        ({"StringLike": {"s3:prefix": "i*", "s3:delimiter": "/"}}, {"s3:prefix": ("in/",)}, False),
    ],
)
def test_condition(condition: dict[str, Any], context: dict[str, tuple[str, ...]], holds: bool) -> None:
    """The operators of the reference, with `IfExists`, `ForAllValues` and `ForAnyValue`."""
    assert grants({"Action": "*", "Resource": "*", "Condition": condition}, context=context) is holds


@pytest.mark.parametrize(
    ("condition", "name"),
    [
        ({"BinaryEquals": {"s3:prefix": "aW4="}}, "BinaryEquals"),
        ({"ForSomeValues:StringLike": {"s3:prefix": "*"}}, "ForSomeValues:StringLike"),
        ({"StringEquals": {"aws:ResourceTag/team": "a"}}, "aws:ResourceTag/team"),
        ({"ForAllValues:StringEquals": {"dynamodb:Attributes": ["a"]}}, "dynamodb:Attributes"),
    ],
)
def test_what_is_not_evaluated_fails_closed(condition: dict[str, Any], name: str) -> None:
    """An Allow grants nothing, a Deny refuses, and both name what it was."""
    statement = {"Action": "*", "Resource": "*", "Condition": condition}

    allowing = judged(statement)
    denying = judged({**statement, "Effect": "Deny"})

    assert (allowing.grants, allowing.denied, allowing.not_evaluated) == (set(), False, {name})
    assert (denying.denied, denying.not_evaluated) == (True, {name})


def test_what_is_not_evaluated_does_not_matter_where_something_else_decides() -> None:
    """A statement that another condition rules out says nothing at all."""
    condition = {"BinaryEquals": {"s3:prefix": "aW4="}, "StringEquals": {"aws:username": "eva"}}
    verdict = judged(
        {"Effect": "Deny", "Action": "*", "Resource": "*", "Condition": condition}, context={"aws:username": ("ana",)}
    )

    assert verdict == Verdict()


def test_key_whose_value_could_not_be_told_fails_closed() -> None:
    """`ForAllValues` holds without values; not when there are some that are not known."""
    condition = {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["a"]}}
    statement = {"Action": "*", "Resource": "*", "Condition": condition}

    verdict = judged(statement, unknown=frozenset(["dynamodb:leadingkeys"]))

    assert (verdict.grants, verdict.not_evaluated) == (set(), {"dynamodb:LeadingKeys"})


@pytest.mark.parametrize(
    ("resource", "matches"),
    [
        (f"{BUCKET}/${{aws:username}}/*", True),
        (f"{BUCKET}/${{aws:userid}}/*", False),
        (f"{BUCKET}/${{aws:userid, 'ana'}}/*", True),
        (f"{BUCKET}/ana/${{*}}", False),
    ],
)
def test_variable_in_a_resource(resource: str, matches: bool) -> None:
    """The value of the key, a default, or nothing that matches; `${*}` is a star and no wildcard."""
    context = {"aws:username": ("ana",)}

    assert grants({"Action": "*", "Resource": resource}, resource=f"{BUCKET}/ana/x", context=context) is matches


def test_value_of_a_variable_is_no_pattern() -> None:
    """A user who is called `*` does not reach everything."""
    context = {"aws:username": ("*",)}

    assert not grants({"Action": "*", "Resource": f"{BUCKET}/${{aws:username}}"}, context=context)


def test_older_version_has_no_variables() -> None:
    """In 2008-10-17 `${aws:username}` is text."""
    statement = {"Action": "*", "Resource": f"{BUCKET}/${{aws:username}}"}

    assert not grants(statement, version="2008-10-17", context={"aws:username": ("a",)})
    assert grants(statement, context={"aws:username": ("a",)})


@pytest.mark.parametrize(
    ("named", "grant"),
    [
        ("*", "anyone"),
        ({"AWS": "*"}, "anyone"),
        ({"AWS": "arn:aws:sts::123456789012:assumed-role/consumer/w"}, "self"),
        ({"AWS": ["arn:aws:iam::123456789012:role/consumer", "arn:aws:iam::123456789012:root"]}, "role"),
        ({"AWS": "123456789012"}, "account"),
        ({"AWS": "arn:aws:iam::999999999999:root"}, None),
        ({"Service": "lambda.amazonaws.com"}, None),
        ({}, None),
    ],
)
def test_principal(named: Any, grant: str | None) -> None:
    """Whom a resource's policy names: everybody, the session, its role, or the account, which leaves it to IAM."""
    session = Principal(
        "arn:aws:sts::123456789012:assumed-role/consumer/w", "123456789012", "arn:aws:iam::123456789012:role/consumer"
    )
    statement = {"Action": "*", "Resource": "*"}

    assert judged({**statement, "Principal": named}, principal=session).grants == ({grant} if grant else set())
    denies_others = judged({**statement, "Effect": "Deny", "NotPrincipal": named}, principal=session)
    assert denies_others.denied is (grant is None)
    assert not judged({**statement, "NotPrincipal": named}, principal=session).grants


def test_service_principal() -> None:
    """A service is named by its own name only."""
    lambda_service = Principal("", "123456789012", service="lambda.amazonaws.com")
    statement = {"Action": "sts:AssumeRole"}

    for named, trusted in (("lambda.amazonaws.com", True), ("ec2.amazonaws.com", False)):
        asked = {"Principal": {"Service": [named]}, **statement}
        assert grants(asked, "sts:AssumeRole", "arn:aws:iam::123456789012:role/r", principal=lambda_service) is trusted


@pytest.mark.parametrize("document", ["", "no JSON", "[]", '{"Statement": ["x"]}', '{"Statement": [{}]}', "{}"])
def test_document_that_is_none_says_nothing(document: str) -> None:
    """What cannot be read grants nothing, and raises nothing."""
    assert read(document).judge(Asked("s3:GetObject", BUCKET, ANA)) == Verdict()


@pytest.mark.parametrize(
    ("principal", "service", "allowed"),
    [
        ({"Service": "lambda.amazonaws.com"}, "lambda.amazonaws.com", True),
        ({"Service": ["s3.amazonaws.com", "lambda.amazonaws.com"]}, "lambda.amazonaws.com", True),
        ({"Service": "lambda.amazonaws.com"}, "ec2.amazonaws.com", False),
        ({"AWS": "123456789012"}, "lambda.amazonaws.com", False),
        ("*", "lambda.amazonaws.com", True),
    ],
)
def test_service_that_asks_for_itself(principal: Any, service: str, allowed: bool) -> None:
    """A role's or a resource's policy lets in the services that it names; what is no policy lets in nobody."""
    statement = {"Effect": "Allow", "Principal": principal, "Action": "sts:AssumeRole"}
    document = json.dumps({"Version": "2012-10-17", "Statement": [statement]})
    role = "arn:aws:iam::123456789012:role/worker"

    assert lets_service(document, service, "sts:AssumeRole", role) is allowed
    assert not lets_service("", service, "sts:AssumeRole", role)


def test_service_is_never_named_by_a_statement_without_a_principal() -> None:
    """Such a statement is an identity's own, and a service that asks for itself has none."""
    document = json.dumps({"Statement": [{"Effect": "Allow", "Action": "*", "Resource": "*"}]})

    assert not lets_service(document, "s3.amazonaws.com", "sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q")
