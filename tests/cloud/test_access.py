"""Who calls, and what they may do: callers are told apart by their keys, and refused in AWS's words."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from botocore.exceptions import ClientError

from bentocola.cloud.access import STUDENT_ARN, Access, Credentials
from bentocola.cloud.door import ACCOUNT, Call, Request, Response, read_call
from tests.cloud.gate import ACCOUNT_TRUST, Gate, allow, deny, document

WORKER = f"arn:aws:sts::{ACCOUNT}:assumed-role/consumer/order-worker"
ORDERS = f"arn:aws:sqs:us-east-1:{ACCOUNT}:orders"
TABLE = f"arn:aws:dynamodb:us-east-1:{ACCOUNT}:table/orders"
ITEM = {"pk": {"S": "1"}}


@pytest.fixture
def gate(home: object) -> Iterator[Gate]:
    """The access layer before moto, with a queue, a table and a bucket."""
    gate = Gate()
    gate.client("sqs").create_queue(QueueName="orders")
    gate.client("dynamodb").create_table(
        TableName="orders",
        KeySchema=[{"AttributeName": "pk", "KeyType": "HASH"}],
        AttributeDefinitions=[{"AttributeName": "pk", "AttributeType": "S"}],
        BillingMode="PAY_PER_REQUEST",
    )
    gate.client("s3").create_bucket(Bucket="uploads")
    gate.client("s3").put_object(Bucket="uploads", Key="in/a.json", Body=b"{}")
    yield gate
    gate.close()


def url(gate: Gate) -> str:
    found: str = gate.client("sqs").get_queue_url(QueueName="orders")["QueueUrl"]
    return found


def refused(call: Any, **parameters: Any) -> tuple[str, int, str]:
    """Make a call that is refused; return code, status and message."""
    with pytest.raises(ClientError) as caught:
        call(**parameters)
    response = caught.value.response
    return response["Error"]["Code"], response["ResponseMetadata"]["HTTPStatusCode"], response["Error"]["Message"]


# Who calls


@pytest.mark.parametrize("key", ["AKIABENTOCOLASTUDENT", "test", "lab", "ASIANOBODYISSUEDTHIS"])
def test_student_and_keys_nobody_issued_may_do_everything(gate: Gate, key: str) -> None:
    """The student's own key, and any that no one issued, are the user `student`, whom no policy binds."""
    caller = Credentials(key, "x", "")

    assert gate.client("sqs", caller).list_queues()["QueueUrls"]
    assert gate.client("sts", caller).get_caller_identity()["Arn"] == STUDENT_ARN


def test_unsigned_requests_may_do_everything(gate: Gate) -> None:
    """A request without a signature goes on: the local cloud checks none."""
    headers = {"X-Amz-Target": "AmazonSQS.ListQueues", "Content-Type": "application/x-amz-json-1.0"}
    response = gate.door.handle(Request("POST", "https://sqs.us-east-1.amazonaws.com/", headers, b"{}"))

    assert response.status == 200
    assert len(response.json()["QueueUrls"]) == 1


def test_resource_policy_does_not_lock_the_student_out(gate: Gate) -> None:
    """A queue that refuses everybody refuses users and roles; the student can still mend its policy."""
    policy = document(deny("sqs:*", ORDERS, Principal="*"))
    gate.client("sqs").set_queue_attributes(QueueUrl=url(gate), Attributes={"Policy": policy})
    worker = gate.client("sqs", gate.as_role(allow("sqs:*")))

    _, _, message = refused(worker.receive_message, QueueUrl=url(gate))

    assert message.endswith("with an explicit deny in a resource-based policy")
    gate.client("sqs").set_queue_attributes(QueueUrl=url(gate), Attributes={"Policy": ""})


def test_function_is_its_role_s_session(gate: Gate) -> None:
    """`issue` gives credentials that are the role with the function's name; STS says so, without any permission."""
    identity = gate.client("sts", gate.as_role()).get_caller_identity()

    assert identity["Arn"] == WORKER
    assert identity["UserId"].startswith("AROA")
    assert identity["UserId"].endswith(":order-worker")


def test_forgotten_session_is_nobody_s(gate: Gate) -> None:
    """A key that was taken back is one that nobody issued."""
    worker = gate.as_role()
    refused(gate.client("sqs", worker).list_queues)

    gate.access.forget(worker.access_key)

    assert gate.client("sqs", worker).list_queues()["QueueUrls"]
    gate.access.forget(worker.access_key)  # a second time does nothing


def test_user_s_key_is_refused_when_inactive_and_when_deleted(gate: Gate) -> None:
    """A key is no longer the user's, and not the student's either."""
    ana = gate.as_user(allow("*"))
    dynamodb, sqs, s3 = (gate.client(service, ana) for service in ("dynamodb", "sqs", "s3"))
    assert dynamodb.list_tables()["TableNames"] == ["orders"]

    gate.client("iam").update_access_key(UserName="ana", AccessKeyId=ana.access_key, Status="Inactive")
    inactive = refused(dynamodb.list_tables)
    gate.client("iam").delete_access_key(UserName="ana", AccessKeyId=ana.access_key)

    assert inactive == (
        "UnrecognizedClientException",
        400,
        "The security token included in the request is invalid.",
    )
    assert refused(dynamodb.list_tables) == inactive
    assert refused(sqs.list_queues)[:2] == ("InvalidClientTokenId", 403)
    assert refused(s3.list_buckets)[:2] == ("InvalidAccessKeyId", 403)


def test_temporary_credentials_end(gate: Gate, monkeypatch: pytest.MonkeyPatch) -> None:
    """After `DurationSeconds` of the course's time those of `assume_role` are refused; a function's are renewed."""
    worker = gate.as_role(allow("sqs:*"))
    gate.role(allow("*"), name="guest", trust=ACCOUNT_TRUST)
    made = gate.client("sts").assume_role(
        RoleArn=f"arn:aws:iam::{ACCOUNT}:role/guest", RoleSessionName="eva", DurationSeconds=900
    )["Credentials"]
    guest = Credentials(made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"])
    assert gate.client("sqs", guest).list_queues()["QueueUrls"]

    from moto.core import utils

    later = utils.utcnow() + timedelta(seconds=901)
    monkeypatch.setattr(utils, "utcnow", lambda: later)

    assert refused(gate.client("sqs", guest).list_queues)[:2] == ("ExpiredToken", 403)
    assert refused(gate.client("dynamodb", guest).list_tables)[:2] == ("ExpiredTokenException", 400)
    assert gate.client("sqs", worker).list_queues()["QueueUrls"]


# Refusals, in each service's own protocol


def test_each_service_refuses_in_its_own_way(gate: Gate) -> None:
    """Code, status and wording are the service's: SQS's lower-case actions, S3's quotation marks."""
    worker = gate.as_role()

    def asked(service: str, operation: str, **parameters: Any) -> tuple[str, int, str]:
        return refused(getattr(gate.client(service, worker), operation), **parameters)

    def said(action: str, resource: str) -> str:
        return (
            f"User: {WORKER} is not authorized to perform: {action}{resource} "
            f"because no identity-based policy allows the {action} action"
        )

    on = " on resource: "
    logs = f"arn:aws:logs:us-east-1:{ACCOUNT}:log-group:"
    assert asked("dynamodb", "put_item", TableName="orders", Item=ITEM) == (
        "AccessDeniedException",
        400,
        said("dynamodb:PutItem", on + TABLE),
    )
    assert asked("sqs", "send_message", QueueUrl=url(gate), MessageBody="x") == (
        "AccessDenied",
        403,
        said("sqs:sendmessage", on + ORDERS),
    )
    assert asked("s3", "get_object", Bucket="uploads", Key="in/a.json") == (
        "AccessDenied",
        403,
        said("s3:GetObject", f'{on}"arn:aws:s3:::uploads/in/a.json"'),
    )
    assert asked("s3", "list_buckets") == ("AccessDenied", 403, said("s3:ListAllMyBuckets", ""))
    assert asked("s3", "head_object", Bucket="uploads", Key="in/a.json") == ("403", 403, "Forbidden")
    assert asked("lambda", "invoke", FunctionName="other") == (
        "AccessDeniedException",
        403,
        said("lambda:InvokeFunction", f"{on}arn:aws:lambda:us-east-1:{ACCOUNT}:function:other"),
    )
    assert asked("logs", "create_log_stream", logGroupName="/a", logStreamName="b") == (
        "AccessDeniedException",
        400,
        said("logs:CreateLogStream", f"{on}{logs}/a:log-stream:b"),
    )
    assert asked("iam", "get_role", RoleName="consumer") == (
        "AccessDenied",
        403,
        said("iam:GetRole", f"{on}arn:aws:iam::{ACCOUNT}:role/consumer"),
    )


def test_refused_call_does_nothing(gate: Gate) -> None:
    """What is refused comes no further than the access layer."""
    worker = gate.as_role()
    gate.calls.clear()

    refused(gate.client("dynamodb", worker).put_item, TableName="orders", Item=ITEM)

    assert gate.calls == []
    assert gate.client("dynamodb").scan(TableName="orders")["Count"] == 0


def test_sqs_in_the_query_protocol_is_refused_in_xml(gate: Gate) -> None:
    """An older SDK sends a form and reads XML."""
    key = gate.as_role().access_key
    headers = {
        "Authorization": f"AWS4-HMAC-SHA256 Credential={key}/20260101/us-east-1/sqs/aws4_request",
        "Content-Type": "application/x-www-form-urlencoded",
    }

    response = gate.door.handle(
        Request("POST", "https://sqs.us-east-1.amazonaws.com/", headers, b"Action=ListQueues&Version=2012-11-05")
    )

    assert (response.status, b"<Code>AccessDenied</Code>" in response.body) == (403, True)


# What is allowed


def test_role_may_do_what_its_policies_allow(gate: Gate) -> None:
    """Inline and attached policies together, on the resources that they name."""
    worker = gate.as_role(allow("dynamodb:PutItem", TABLE))
    made = gate.client("iam").create_policy(PolicyName="drain", PolicyDocument=document(allow("sqs:Receive*", ORDERS)))
    gate.client("iam").attach_role_policy(RoleName="consumer", PolicyArn=made["Policy"]["Arn"])

    gate.client("dynamodb", worker).put_item(TableName="orders", Item=ITEM)
    gate.client("sqs", worker).receive_message(QueueUrl=url(gate))

    assert refused(gate.client("dynamodb", worker).get_item, TableName="orders", Key=ITEM)[0] == "AccessDeniedException"
    assert refused(gate.client("dynamodb", worker).put_item, TableName="other", Item=ITEM)[0] == "AccessDeniedException"


def test_change_of_a_policy_is_in_force_at_once(gate: Gate) -> None:
    """Put, set as default version, detached: the next call is decided anew."""
    worker = gate.client("dynamodb", gate.as_role())
    iam = gate.client("iam")
    refused(worker.list_tables)

    iam.put_role_policy(RoleName="consumer", PolicyName="own", PolicyDocument=document(allow("dynamodb:*")))
    assert worker.list_tables()["TableNames"]
    iam.delete_role_policy(RoleName="consumer", PolicyName="own")
    refused(worker.list_tables)
    arn = iam.create_policy(PolicyName="p", PolicyDocument=document(allow("sqs:*")))["Policy"]["Arn"]
    iam.attach_role_policy(RoleName="consumer", PolicyArn=arn)
    refused(worker.list_tables)
    iam.create_policy_version(PolicyArn=arn, PolicyDocument=document(allow("dynamodb:*")), SetAsDefault=True)
    assert worker.list_tables()["TableNames"]
    iam.detach_role_policy(RoleName="consumer", PolicyArn=arn)
    refused(worker.list_tables)


def test_explicit_deny_wins(gate: Gate) -> None:
    """An Allow of everything beside a Deny of one thing."""
    worker = gate.as_role(allow("*"), deny("dynamodb:DeleteTable"))

    _, _, message = refused(gate.client("dynamodb", worker).delete_table, TableName="orders")

    assert message == (
        f"User: {WORKER} is not authorized to perform: dynamodb:DeleteTable on resource: {TABLE} "
        "with an explicit deny in an identity-based policy"
    )


def test_user_has_the_policies_of_groups(gate: Gate) -> None:
    """A user's own policies and those of the groups, and `${aws:username}` in them."""
    ana = gate.as_user()
    iam = gate.client("iam")
    iam.create_group(GroupName="team")
    iam.put_group_policy(
        GroupName="team",
        PolicyName="home",
        PolicyDocument=document(allow("s3:PutObject", "arn:aws:s3:::uploads/${aws:username}/*")),
    )
    iam.add_user_to_group(GroupName="team", UserName="ana")
    s3 = gate.client("s3", ana)

    s3.put_object(Bucket="uploads", Key="ana/x", Body=b"")

    code, _, message = refused(s3.put_object, Bucket="uploads", Key="eva/x", Body=b"")
    assert code == "AccessDenied"
    assert message.startswith(f"User: arn:aws:iam::{ACCOUNT}:user/ana is not authorized")


def test_permissions_boundary_limits(gate: Gate) -> None:
    """What the boundary does not allow is refused, whatever the role's own policies say."""
    arn = gate.client("iam").create_policy(PolicyName="limit", PolicyDocument=document(allow("sqs:*")))["Policy"]["Arn"]
    worker = gate.as_role(allow("*"), PermissionsBoundary=arn)

    gate.client("sqs", worker).receive_message(QueueUrl=url(gate))
    _, _, message = refused(gate.client("dynamodb", worker).list_tables)

    assert message.endswith("because no permissions boundary allows the dynamodb:ListTables action")


def test_resource_policy_grants_alone(gate: Gate) -> None:
    """In one account, a queue's or bucket's policy that names the role is enough."""
    worker = gate.as_role()
    role = f"arn:aws:iam::{ACCOUNT}:role/consumer"
    gate.client("sqs").set_queue_attributes(
        QueueUrl=url(gate),
        Attributes={"Policy": document(allow("sqs:SendMessage", ORDERS, Principal={"AWS": role}))},
    )
    gate.client("s3").put_bucket_policy(
        Bucket="uploads",
        Policy=document(allow("s3:GetObject", "arn:aws:s3:::uploads/*", Principal={"AWS": WORKER})),
    )

    gate.client("sqs", worker).send_message(QueueUrl=url(gate), MessageBody="x")
    gate.client("s3", worker).get_object(Bucket="uploads", Key="in/a.json")

    assert refused(gate.client("sqs", worker).receive_message, QueueUrl=url(gate))[0] == "AccessDenied"


def test_resource_policy_that_names_the_account_leaves_it_to_iam(gate: Gate) -> None:
    """The account's root as principal grants nothing by itself."""
    worker = gate.as_role()
    gate.client("sqs").set_queue_attributes(
        QueueUrl=url(gate),
        Attributes={"Policy": document(allow("sqs:*", ORDERS, Principal={"AWS": f"arn:aws:iam::{ACCOUNT}:root"}))},
    )

    assert refused(gate.client("sqs", worker).receive_message, QueueUrl=url(gate))[0] == "AccessDenied"


def test_batch_needs_the_single_permission(gate: Gate) -> None:
    """There is no `sqs:SendMessageBatch`; transactions ask for each of their writes."""
    worker = gate.as_role(allow("sqs:SendMessage"), allow(["dynamodb:PutItem"]))

    gate.client("sqs", worker).send_message_batch(QueueUrl=url(gate), Entries=[{"Id": "1", "MessageBody": "x"}])
    gate.client("dynamodb", worker).transact_write_items(TransactItems=[{"Put": {"TableName": "orders", "Item": ITEM}}])

    writes = [
        {"Put": {"TableName": "orders", "Item": {"pk": {"S": "2"}}}},
        {"Delete": {"TableName": "orders", "Key": ITEM}},
    ]
    _, _, message = refused(gate.client("dynamodb", worker).transact_write_items, TransactItems=writes)
    assert "dynamodb:DeleteItem" in message
    assert gate.client("dynamodb").scan(TableName="orders")["Count"] == 1


def test_missing_object_is_a_secret_without_list_bucket(gate: Gate) -> None:
    """S3 says 404 only to who may list the bucket."""
    worker = gate.as_role(allow("s3:GetObject", "arn:aws:s3:::uploads/*"))
    s3 = gate.client("s3", worker)

    code, status, message = refused(s3.get_object, Bucket="uploads", Key="none")
    gate.client("iam").put_role_policy(
        RoleName="consumer", PolicyName="list", PolicyDocument=document(allow("s3:ListBucket", "arn:aws:s3:::uploads"))
    )

    assert (code, status, "s3:ListBucket" in message) == ("AccessDenied", 403, True)
    assert refused(s3.get_object, Bucket="uploads", Key="none")[:2] == ("NoSuchKey", 404)


def test_delete_objects_refuses_single_keys(gate: Gate) -> None:
    """Keys that may be deleted are; each of the others is an error of its own in the answer."""
    s3 = gate.client("s3")
    s3.put_object(Bucket="uploads", Key="out/a&b", Body=b"")
    worker = gate.as_role(allow("s3:DeleteObject", "arn:aws:s3:::uploads/in/*"))

    answered = gate.client("s3", worker).delete_objects(
        Bucket="uploads", Delete={"Objects": [{"Key": "in/a.json"}, {"Key": "out/a&b"}]}
    )

    assert [entry["Key"] for entry in answered["Deleted"]] == ["in/a.json"]
    assert [(entry["Key"], entry["Code"]) for entry in answered["Errors"]] == [("out/a&b", "AccessDenied")]
    assert [entry["Key"] for entry in s3.list_objects_v2(Bucket="uploads")["Contents"]] == ["out/a&b"]


def test_condition_on_the_leading_key(gate: Gate) -> None:
    """`dynamodb:LeadingKeys`: a user reads and writes its own items only."""
    condition = {"ForAllValues:StringEquals": {"dynamodb:LeadingKeys": ["${aws:username}"]}}
    ana = gate.client("dynamodb", gate.as_user(allow("dynamodb:*", TABLE, Condition=condition)))

    ana.put_item(TableName="orders", Item={"pk": {"S": "ana"}})
    ana.query(
        TableName="orders",
        KeyConditionExpression="#k = :k",
        ExpressionAttributeNames={"#k": "pk"},
        ExpressionAttributeValues={":k": {"S": "ana"}},
    )

    assert refused(ana.get_item, TableName="orders", Key={"pk": {"S": "eva"}})[0] == "AccessDeniedException"
    batch = {"orders": {"Keys": [{"pk": {"S": "ana"}}, {"pk": {"S": "eva"}}]}}
    assert refused(ana.batch_get_item, RequestItems=batch)[0] == "AccessDeniedException"


def test_condition_that_is_not_evaluated_is_named(gate: Gate) -> None:
    """It grants nothing, and the refusal says which."""
    condition = {"ForAllValues:StringEquals": {"dynamodb:Attributes": ["pk"]}}
    worker = gate.client("dynamodb", gate.as_role(allow("dynamodb:*", Condition=condition)))

    _, _, message = refused(worker.scan, TableName="orders")

    assert "does not evaluate dynamodb:Attributes in a policy's Condition" in message


# Assuming a role


def test_assume_role_asks_the_trust_policy(gate: Gate) -> None:
    """A role for Lambda is refused to the student; one that trusts the account is not."""
    gate.role(name="for-lambda")
    guest = gate.role(allow("sqs:*"), name="guest", trust=ACCOUNT_TRUST)
    sts = gate.client("sts")

    for name in ("for-lambda", "nobody-made-it"):
        arn = f"arn:aws:iam::{ACCOUNT}:role/{name}"
        assert refused(sts.assume_role, RoleArn=arn, RoleSessionName="eva") == (
            "AccessDenied",
            403,
            f"User: {STUDENT_ARN} is not authorized to perform: sts:AssumeRole on resource: {arn}",
        )

    made = sts.assume_role(RoleArn=guest, RoleSessionName="eva")["Credentials"]
    eva = Credentials(made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"])
    assert gate.client("sqs", eva).list_queues()["QueueUrls"]
    assert refused(gate.client("dynamodb", eva).list_tables)[0] == "AccessDeniedException"


def test_trust_in_the_account_leaves_it_to_the_user_s_policies(gate: Gate) -> None:
    """A role that trusts the account is for users who may assume it; one that names the user is for that user."""
    ana = gate.client("sts", gate.as_user())
    of_account = gate.role(name="guest", trust=ACCOUNT_TRUST)
    of_ana = gate.role(name="hers", trust={**ACCOUNT_TRUST, "Principal": {"AWS": f"arn:aws:iam::{ACCOUNT}:user/ana"}})

    _, _, message = refused(ana.assume_role, RoleArn=of_account, RoleSessionName="ana")
    ana.assume_role(RoleArn=of_ana, RoleSessionName="ana")
    gate.client("iam").put_user_policy(
        UserName="ana", PolicyName="own", PolicyDocument=document(allow("sts:AssumeRole", of_account))
    )
    ana.assume_role(RoleArn=of_account, RoleSessionName="ana")

    assert message.endswith("because no identity-based policy allows the sts:AssumeRole action")


def test_trust_policy_with_an_external_id(gate: Gate) -> None:
    """The condition of a trust policy sees what the call says."""
    trust = {**ACCOUNT_TRUST, "Condition": {"StringEquals": {"sts:ExternalId": "42"}}}
    arn = gate.role(name="guest", trust=trust)
    sts = gate.client("sts")

    assert refused(sts.assume_role, RoleArn=arn, RoleSessionName="eva")[0] == "AccessDenied"
    sts.assume_role(RoleArn=arn, RoleSessionName="eva", ExternalId="42")


def test_session_policy_limits(gate: Gate) -> None:
    """`Policy` of `assume_role` takes away, and gives nothing."""
    arn = gate.role(allow("*"), name="guest", trust=ACCOUNT_TRUST)
    made = gate.client("sts").assume_role(RoleArn=arn, RoleSessionName="eva", Policy=document(allow("sqs:*")))[
        "Credentials"
    ]
    eva = Credentials(made["AccessKeyId"], made["SecretAccessKey"], made["SessionToken"])

    assert gate.client("sqs", eva).list_queues()["QueueUrls"]
    assert refused(gate.client("dynamodb", eva).list_tables)[2].endswith(
        "because no session policy allows the dynamodb:ListTables action"
    )


# For other parts of the cloud


def test_allowed_answers_for_roles_without_a_call(gate: Gate) -> None:
    """The poller asks by the function's role; a role that nobody made may do nothing."""
    arn = gate.role(allow(["sqs:ReceiveMessage"], ORDERS))

    assert gate.access.allowed(arn, "sqs:ReceiveMessage", ORDERS) is None
    assert gate.access.allowed(WORKER, "sqs:ReceiveMessage", ORDERS) is None
    assert gate.access.allowed(STUDENT_ARN, "sqs:DeleteMessage", ORDERS) is None
    refusal = gate.access.allowed(arn, "sqs:DeleteMessage", ORDERS)
    assert refusal is not None
    assert (refusal.action, refusal.resource) == ("sqs:DeleteMessage", ORDERS)
    assert gate.access.allowed(f"arn:aws:iam::{ACCOUNT}:role/none", "sqs:ReceiveMessage", ORDERS) is not None


def test_function_can_be_made_only_with_pass_role(gate: Gate) -> None:
    """`lambda:CreateFunction` gives no role away: `iam:PassRole` does."""
    role = gate.role(name="for-lambda")
    ana = gate.as_user(allow("lambda:*"))
    made = {"FunctionName": "f", "Runtime": "python3.12", "Role": role, "Handler": "a.b", "Code": {"ZipFile": b"x"}}

    code, status, message = refused(gate.client("lambda", ana).create_function, **made)

    assert (code, status) == ("AccessDeniedException", 403)
    assert f"iam:PassRole on resource: {role} because" in message


def test_clear_forgets_everybody(gate: Gate) -> None:
    """When the services are emptied, no key is anybody's."""
    worker = gate.as_role()
    gate.door.empty()
    gate.access.clear()

    assert gate.client("sqs", worker).list_queues().get("QueueUrls") is None


def test_student_s_call_costs_one_look(gate: Gate) -> None:
    """Nothing is evaluated for who may do everything: the call itself is handed on."""
    call = read_call(Request("GET", "https://uploads.s3.amazonaws.com/in/a.json", {}))
    handed: list[Call] = []

    def answer(call: Call) -> Response:
        handed.append(call)
        return Response(200, {}, b"")

    Access(say=pytest.fail)(call, answer)

    assert handed[0] is call


def test_s3_delete_objects_with_bad_xml_is_s3_s_to_refuse(gate: Gate) -> None:
    """A body that is no XML is handed on as it is."""
    key = gate.as_role(allow("s3:*")).access_key
    scope = f"AWS4-HMAC-SHA256 Credential={key}/{datetime.now():%Y%m%d}/us-east-1/s3/aws4_request"

    response = gate.door.handle(
        Request("POST", "https://uploads.s3.amazonaws.com/?delete", {"Authorization": scope}, b"<no")
    )

    assert response.status >= 400
    assert json.dumps(response.body.decode())  # an answer, not an exception
