"""IAM and STS as AWS documents them: AWS's own policies, documents that are refused, who the student is."""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from botocore.exceptions import ClientError

from bentocola.cloud import access
from bentocola.cloud.amendments import iam_aws_policies, iam_bucket_policies, iam_documents, sts_identity
from bentocola.cloud.door import ACCOUNT, Request
from tests.cloud.gate import ACCOUNT_TRUST, LAMBDA_TRUST, Gate, allow, deny, document

BASIC = "arn:aws:iam::aws:policy/service-role/AWSLambdaBasicExecutionRole"


@pytest.fixture
def gate(home: object) -> Iterator[Gate]:
    """The access layer before moto."""
    gate = Gate()
    yield gate
    gate.close()


def refused(call: Any, **parameters: Any) -> tuple[str, int, str]:
    with pytest.raises(ClientError) as caught:
        call(**parameters)
    response = caught.value.response
    return response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"], response["Error"]["Message"]


@pytest.mark.parametrize("amendment", [iam_aws_policies, iam_bucket_policies, iam_documents, sts_identity])
def test_amendments_hold_with_this_moto(amendment: Any) -> None:
    """Each finds what it builds on, before and after it is put in place, and twice as well."""
    amendment.install()
    amendment.install()

    amendment.self_test()


# AWS's own policies


@pytest.mark.parametrize(
    "name",
    [
        "service-role/AWSLambdaBasicExecutionRole",
        "service-role/AWSLambdaSQSQueueExecutionRole",
        "service-role/AWSLambdaRole",
        "AmazonSQSFullAccess",
        "AmazonDynamoDBFullAccess",
        "AmazonS3ReadOnlyAccess",
        "AmazonS3FullAccess",
        "CloudWatchLogsFullAccess",
        "AWSLambda_FullAccess",
        "AdministratorAccess",
    ],
)
def test_aws_s_policies_can_be_attached(gate: Gate, name: str) -> None:
    """To a role, a user and a group; they are then listed, and read like any other."""
    iam, arn = gate.client("iam"), f"arn:aws:iam::aws:policy/{name}"
    gate.role()
    iam.create_user(UserName="ana")
    iam.create_group(GroupName="team")

    iam.attach_role_policy(RoleName="consumer", PolicyArn=arn)
    iam.attach_user_policy(UserName="ana", PolicyArn=arn)
    iam.attach_group_policy(GroupName="team", PolicyArn=arn)

    attached = iam.list_attached_role_policies(RoleName="consumer")["AttachedPolicies"]
    assert attached == [{"PolicyName": name.rpartition("/")[2], "PolicyArn": arn}]
    policy = iam.get_policy(PolicyArn=arn)["Policy"]
    assert (policy["Arn"], policy["AttachmentCount"]) == (arn, 3)
    version = iam.get_policy_version(PolicyArn=arn, VersionId=policy["DefaultVersionId"])["PolicyVersion"]
    assert version["Document"]["Statement"]
    iam.detach_role_policy(RoleName="consumer", PolicyArn=arn)
    assert iam.list_attached_role_policies(RoleName="consumer")["AttachedPolicies"] == []


def test_function_s_role_of_the_tutorials_works(gate: Gate) -> None:
    """`AWSLambdaSQSQueueExecutionRole` lets a function log, receive and delete; nothing else."""
    arn = gate.role()
    gate.client("iam").attach_role_policy(
        RoleName="consumer", PolicyArn="arn:aws:iam::aws:policy/service-role/AWSLambdaSQSQueueExecutionRole"
    )

    for action in ("sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes", "logs:PutLogEvents"):
        assert gate.access.allowed(arn, action, "arn:aws:sqs:us-east-1:123456789012:q") is None
    assert gate.access.allowed(arn, "sqs:SendMessage", "arn:aws:sqs:us-east-1:123456789012:q") is not None


def test_policy_that_aws_does_not_have(gate: Gate) -> None:
    """A name without its path is the mistake of the forums."""
    gate.role()
    wrong = "arn:aws:iam::aws:policy/AWSLambdaBasicExecutionRole"

    assert refused(gate.client("iam").attach_role_policy, RoleName="consumer", PolicyArn=wrong) == (
        "NoSuchEntity",
        404,
        f"Policy {wrong} does not exist or is not attachable.",
    )


def test_policy_for_a_service_s_own_role_cannot_be_attached(gate: Gate) -> None:
    """`PolicyNotAttachable`."""
    gate.role()
    iam, arn = gate.client("iam"), "arn:aws:iam::aws:policy/aws-service-role/AWSLambdaReplicator"

    assert iam.get_policy(PolicyArn=arn)["Policy"]["Arn"] == arn
    code, status, _ = refused(iam.attach_role_policy, RoleName="consumer", PolicyArn=arn)
    assert (code, status) == ("PolicyNotAttachable", 400)


def test_list_has_aws_s_policies_in_pages(gate: Gate) -> None:
    """All by default, and by scope; the account's own without them."""
    iam = gate.client("iam")
    own = iam.create_policy(PolicyName="own", PolicyDocument=document(allow("s3:*")))["Policy"]["Arn"]

    assert [policy["Arn"] for policy in iam.list_policies(Scope="Local")["Policies"]] == [own]
    assert iam.list_policies(OnlyAttached=True)["Policies"] == []
    pages = list(iam.get_paginator("list_policies").paginate(Scope="AWS"))
    arns = {policy["Arn"] for page in pages for policy in page["Policies"]}
    assert BASIC in arns
    assert own not in arns
    assert len(arns) > 1000


def test_texts_are_not_read_before_a_call_names_one(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """5 MB of JSON wait for who wants them."""
    monkeypatch.delitem(sys.modules, "moto.iam.aws_managed_policies", raising=False)
    iam_aws_policies._read.cache_clear()
    iam = gate.client("iam")
    gate.role()
    arn = iam.create_policy(PolicyName="own", PolicyDocument=document(allow("s3:*")))["Policy"]["Arn"]
    iam.attach_role_policy(RoleName="consumer", PolicyArn=arn)
    iam.list_policies(Scope="Local")
    before = "moto.iam.aws_managed_policies" in sys.modules

    iam.attach_role_policy(RoleName="consumer", PolicyArn=BASIC)

    assert (before, "moto.iam.aws_managed_policies" in sys.modules) == (False, True)


# Documents


@pytest.mark.parametrize(
    ("trust", "message"),
    [
        ("no JSON", "Syntax errors in policy."),
        ("{}", "Syntax errors in policy."),
        (document({"Effect": "Allow", "Action": "sts:AssumeRole"}), "Missing required field Principal"),
        (document({**LAMBDA_TRUST, "Resource": "*"}), "Has prohibited field Resource."),
        (
            document({**LAMBDA_TRUST, "Action": "s3:GetObject"}),
            "Trust Policy statement actions can only be sts:AssumeRole, sts:AssumeRoleWithSAML,  "
            "and sts:AssumeRoleWithWebIdentity",
        ),
        (
            document({**LAMBDA_TRUST, "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:role/none"}}),
            f'Invalid principal in policy: "AWS":"arn:aws:iam::{ACCOUNT}:role/none"',
        ),
        (
            document({**LAMBDA_TRUST, "Principal": {"AWS": [f"arn:aws:iam::{ACCOUNT}:user/none"]}}),
            f'Invalid principal in policy: "AWS":"arn:aws:iam::{ACCOUNT}:user/none"',
        ),
    ],
)
def test_trust_policy_that_is_none(gate: Gate, trust: str, message: str) -> None:
    """Refused for a new role and for one that there is."""
    iam = gate.client("iam")
    gate.role(name="old")

    assert refused(iam.create_role, RoleName="new", AssumeRolePolicyDocument=trust) == (
        "MalformedPolicyDocument",
        400,
        message,
    )
    assert refused(iam.update_assume_role_policy, RoleName="old", PolicyDocument=trust)[2] == message
    assert [role["RoleName"] for role in iam.list_roles()["Roles"]] == ["old"]


@pytest.mark.parametrize(
    "principal",
    [
        "*",
        {"Service": ["lambda.amazonaws.com", "events.amazonaws.com"]},
        {"AWS": ACCOUNT},
        {"AWS": f"arn:aws:iam::{ACCOUNT}:root"},
        {"AWS": f"arn:aws:iam::{ACCOUNT}:user/student"},
        {"AWS": "arn:aws:iam::999999999999:role/elsewhere"},
        {"Federated": "accounts.google.com"},
    ],
)
def test_trust_policy_that_is_one(gate: Gate, principal: Any) -> None:
    """Services, accounts, users and roles that exist, and those of other accounts, which are not ours to know."""
    assert gate.role(trust={**LAMBDA_TRUST, "Principal": principal})


def test_trust_policy_of_the_older_version(gate: Gate) -> None:
    """2008-10-17 is what examples of trust policies still have."""
    older = json.dumps({"Version": "2008-10-17", "Statement": [LAMBDA_TRUST]})

    gate.client("iam").create_role(RoleName="r", AssumeRolePolicyDocument=older)
    gate.client("iam").update_assume_role_policy(RoleName="r", PolicyDocument=older)


def test_identity_policy_has_no_principal(gate: Gate) -> None:
    """A trust policy in the place of a permission policy is a common mistake."""
    gate.role()
    statement = {**allow("s3:*"), "Principal": "*"}

    refusal = refused(
        gate.client("iam").put_role_policy, RoleName="consumer", PolicyName="p", PolicyDocument=document(statement)
    )

    assert refusal == ("MalformedPolicyDocument", 400, "Policy document should not specify a principal.")


def test_other_services_policies_keep_their_principals() -> None:
    """moto looks at a repository's policy with the same class, and that one must name somebody."""
    validation = importlib.import_module("moto.iam.policy_validation")
    statement = {**allow("ecr:*"), "Principal": "*"}

    validation.IAMPolicyDocumentValidator(document(statement)).validate()


def test_trust_policy_of_a_role_that_is_not_there(gate: Gate) -> None:
    """NoSuchEntity, whatever the document."""
    assert (
        refused(gate.client("iam").update_assume_role_policy, RoleName="none", PolicyDocument="x")[0] == "NoSuchEntity"
    )


# Who the student is


def test_student_is_a_user_of_the_account(gate: Gate) -> None:
    """For STS and for IAM, which both know no such user."""
    identity = gate.client("sts").get_caller_identity()
    user = gate.client("iam").get_user()["User"]

    assert (identity["Arn"], identity["Account"]) == (f"arn:aws:iam::{ACCOUNT}:user/student", ACCOUNT)
    assert identity["UserId"] == user["UserId"] == "AIDABENTOCOLASTUDENT"
    assert (user["UserName"], user["Arn"]) == ("student", identity["Arn"])
    assert gate.client("iam").list_users()["Users"] == []


def test_modules_agree_on_the_student() -> None:
    """An amendment knows no other part of the cloud, so each has the name for itself."""
    assert access.STUDENT == sts_identity._NAME == iam_documents._STUDENT


def test_user_s_id_is_one_of_a_user(gate: Gate) -> None:
    """AIDA and more, and the same from STS."""
    ana = gate.as_user()

    user = gate.client("iam").get_user(UserName="ana")["User"]
    identity = gate.client("sts", ana).get_caller_identity()

    assert user["UserId"].startswith("AIDA")
    assert user["UserId"].isupper()
    assert (identity["UserId"], identity["Arn"]) == (user["UserId"], user["Arn"])


def test_role_that_was_assumed_says_so(gate: Gate) -> None:
    """The role's id and the session's name."""
    arn = gate.role(trust=ACCOUNT_TRUST)
    role_id = gate.client("iam").get_role(RoleName="consumer")["Role"]["RoleId"]

    made = gate.client("sts").assume_role(RoleArn=arn, RoleSessionName="eva")

    assert made["AssumedRoleUser"] == {
        "AssumedRoleId": f"{role_id}:eva",
        "Arn": f"arn:aws:sts::{ACCOUNT}:assumed-role/consumer/eva",
    }


# Buckets' policies


def get(gate: Gate, key: str) -> int:
    """Read an object without a signature, and return the status."""
    return gate.door.handle(Request("GET", f"https://uploads.s3.amazonaws.com/{key}", {})).status


def test_bucket_s_deny_binds_those_it_names(gate: Gate) -> None:
    """A Deny for one role is not everybody's."""
    s3 = gate.client("s3")
    s3.create_bucket(Bucket="uploads")
    s3.put_object(Bucket="uploads", Key="a", Body=b"x")
    denied, other = gate.as_role(allow("s3:*")), gate.as_role(allow("s3:*"), name="other")
    statement = deny(
        "s3:GetObject", "arn:aws:s3:::uploads/*", Principal={"AWS": f"arn:aws:iam::{ACCOUNT}:role/consumer"}
    )
    s3.put_bucket_policy(Bucket="uploads", Policy=document(statement))

    assert s3.get_object(Bucket="uploads", Key="a")["Body"].read() == b"x"
    assert gate.client("s3", other).get_object(Bucket="uploads", Key="a")["Body"].read() == b"x"
    assert refused(gate.client("s3", denied).get_object, Bucket="uploads", Key="a")[2].endswith(
        "with an explicit deny in a resource-based policy"
    )


def test_object_is_public_only_if_the_policy_says_everybody(gate: Gate) -> None:
    """Without a signature, a policy for one role grants nothing; one for everybody does."""
    s3 = gate.client("s3")
    s3.create_bucket(Bucket="uploads")
    s3.put_object(Bucket="uploads", Key="a", Body=b"x")
    gate.role()
    statement = allow(
        "s3:GetObject", "arn:aws:s3:::uploads/*", Principal={"AWS": f"arn:aws:iam::{ACCOUNT}:role/consumer"}
    )

    s3.put_bucket_policy(Bucket="uploads", Policy=document(statement))
    assert get(gate, "a") == 403
    s3.put_bucket_policy(Bucket="uploads", Policy=document({**statement, "Principal": "*"}))
    assert get(gate, "a") == 200
