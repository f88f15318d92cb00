"""From a call to the permissions that it needs: IAM actions, each with its resource's ARN and what conditions may ask.

As https://docs.aws.amazon.com/service-authorization/latest/reference/ says, for S3 with
https://docs.aws.amazon.com/AmazonS3/latest/userguide/using-with-s3-policy-actions.html. Most actions are called like their
operation; the tables here hold the others. It decides nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any
from urllib.parse import parse_qs, urlsplit

from bentocola.cloud.door import ACCOUNT, Call, Door

__all__ = ["ArnOf", "Need", "needs"]

ArnOf = Callable[[str, str], str]
"""Gives the ARN of an IAM entity by its kind ("role", "user", …) and name: only IAM knows its path."""

_NONE: Mapping[str, tuple[str, ...]] = {}


@dataclass(frozen=True)
class Need:
    """A permission that a call needs. `resource` is an ARN, or "*" where the action has no resource."""

    action: str
    resource: str = "*"
    context: Callable[[], Mapping[str, tuple[str, ...]]] = lambda: _NONE
    """The condition keys of this action alone, in lower case."""
    unknown: frozenset[str] = frozenset()
    """Condition keys, in lower case, that the call has and whose value could not be told."""


def _plain_arn(kind: str, name: str) -> str:
    return f"arn:aws:iam::{ACCOUNT}:{kind}/{name}"


def needs(call: Call, arn_of: ArnOf = _plain_arn, me: str = "*") -> list[Need]:
    """Return what the caller must be allowed for `call` to go on; nothing for what needs no permission.

    `me` is the ARN of the calling user, for the operations of IAM that mean the caller when they name nobody.
    """
    if call.service == "s3":
        return list(_s3(call))
    if call.service == "sqs":
        return list(_sqs(call))
    if call.service == "dynamodb":
        return list(_dynamodb(call))
    if call.service == "lambda":
        return list(_lambda(call))
    if call.service == "logs":
        return list(_logs(call))
    if call.service == "iam":
        return [_iam(call, arn_of, me)]
    return list(_sts(call))


# S3

_S3_LISTS = {
    "ListBuckets": "ListAllMyBuckets",
    "HeadBucket": "ListBucket",
    "ListObjects": "ListBucket",
    "ListObjectsV2": "ListBucket",
    "ListObjectVersions": "ListBucketVersions",
    "ListMultipartUploads": "ListBucketMultipartUploads",
}
_S3_OBJECT = {
    "HeadObject": "GetObject",
    "PostObject": "PutObject",
    "CopyObject": "PutObject",
    "CreateMultipartUpload": "PutObject",
    "UploadPart": "PutObject",
    "UploadPartCopy": "PutObject",
    "CompleteMultipartUpload": "PutObject",
    "ListParts": "ListMultipartUploadParts",
}
_S3_SUBRESOURCES = {
    # What an address asks for: the part of the action's name, and whether deleting it is the same action as putting it.
    "accelerate": ("AccelerateConfiguration", True),
    "analytics": ("AnalyticsConfiguration", True),
    "cors": ("BucketCORS", True),
    "encryption": ("EncryptionConfiguration", True),
    "inventory": ("InventoryConfiguration", True),
    "intelligent-tiering": ("IntelligentTieringConfiguration", True),
    "lifecycle": ("LifecycleConfiguration", True),
    "location": ("BucketLocation", False),
    "logging": ("BucketLogging", True),
    "metrics": ("MetricsConfiguration", True),
    "notification": ("BucketNotification", True),
    "object-lock": ("BucketObjectLockConfiguration", True),
    "ownershipControls": ("BucketOwnershipControls", True),
    "policy": ("BucketPolicy", False),
    "policyStatus": ("BucketPolicyStatus", False),
    "publicAccessBlock": ("BucketPublicAccessBlock", True),
    "replication": ("ReplicationConfiguration", True),
    "requestPayment": ("BucketRequestPayment", True),
    "versioning": ("BucketVersioning", True),
    "website": ("BucketWebsite", False),
}
_S3_VERBS = {"GET": "Get", "HEAD": "Get", "PUT": "Put", "DELETE": "Delete", "POST": "Put"}


def _s3(call: Call) -> Iterator[Need]:
    bucket, key = str(call.parameters.get("Bucket", "")), str(call.parameters.get("Key", ""))
    request = call.request
    query = parse_qs(urlsplit(request.url).query, keep_blank_values=True)
    verb = _S3_VERBS.get(request.method, "Get")
    bucket_arn, object_arn = f"arn:aws:s3:::{bucket}", f"arn:aws:s3:::{bucket}/{key}"

    def context() -> Mapping[str, tuple[str, ...]]:
        asked = {f"s3:{name}": values[0] for name in ("prefix", "delimiter", "max-keys") if (values := query.get(name))}
        if "versionId" in query:
            asked["s3:versionid"] = query["versionId"][0]
        for header in ("x-amz-acl", "x-amz-server-side-encryption"):
            if value := request.header(header):
                asked[f"s3:{header}"] = value
        return {name: (value,) for name, value in asked.items()}

    def need(action: str, resource: str) -> Need:
        return Need(f"s3:{action}", resource, context)

    if not bucket:
        yield need("ListAllMyBuckets", "*")
        return
    if not key:
        for subresource, (name, delete_is_put) in _S3_SUBRESOURCES.items():
            if subresource in query:
                yield need(f"{'Put' if verb == 'Delete' and delete_is_put else verb}{name}", bucket_arn)
                return
        for subresource, name in (("acl", "BucketAcl"), ("tagging", "BucketTagging")):
            if subresource in query:
                yield need(f"{'Put' if verb == 'Delete' else verb}{name}", bucket_arn)
                return
        if call.operation == "DeleteObjects":
            return  # each of its keys for itself: `_keys_to_delete` of the access layer
        name = _S3_LISTS.get(call.operation, call.operation)
        if call.operation == "PostObject":
            name, bucket_arn = "PutObject", f"{bucket_arn}/{_key_of_form(request.body)}"
        yield need(name, bucket_arn)
        return
    version = "Version" if "versionId" in query else ""
    for subresource, name in (("acl", "Acl"), ("tagging", "Tagging")):
        if subresource in query:
            yield need(f"{verb}Object{version}{name}", object_arn)
            return
    for subresource, name in (("legal-hold", "LegalHold"), ("retention", "Retention")):
        if subresource in query:
            yield need(f"{verb}Object{name}", object_arn)
            return
    if "attributes" in query:
        yield need(f"GetObject{version}", object_arn)
        yield need(f"GetObject{version}Attributes", object_arn)
        return
    if "restore" in query or "select" in query:
        yield need("RestoreObject" if "restore" in query else "GetObject", object_arn)
        return
    name = _S3_OBJECT.get(call.operation, call.operation)
    if name in ("GetObject", "DeleteObject"):
        name += version
    if source := str(call.parameters.get("CopySource", "")):
        path, _, of_version = source.lstrip("/").partition("?versionId=")
        yield need("GetObjectVersion" if of_version else "GetObject", f"arn:aws:s3:::{path}")
    yield need(name, object_arn)
    if name == "PutObject":
        if request.header("x-amz-acl") or any(part.lower().startswith("x-amz-grant-") for part in request.headers):
            yield need("PutObjectAcl", object_arn)
        if request.header("x-amz-tagging"):
            yield need("PutObjectTagging", object_arn)


def _key_of_form(body: bytes) -> str:
    found = re.search(rb'name="key"\r\n\r\n(.*?)\r\n', body)
    return found[1].decode(errors="replace") if found else ""


# SQS

_SQS_SINGLE = {
    # A batch needs the permission of the single action: there is none of its own.
    "ChangeMessageVisibilityBatch": "ChangeMessageVisibility",
    "DeleteMessageBatch": "DeleteMessage",
    "SendMessageBatch": "SendMessage",
}


def _sqs(call: Call) -> Iterator[Need]:
    parameters = call.parameters
    queue = f"arn:aws:sqs:{call.region}:{ACCOUNT}:"
    if source := parameters.get("SourceArn"):
        resource = str(source)
    elif address := parameters.get("QueueUrl"):
        parts = str(address).rstrip("/").split("/")
        account = parts[-2] if len(parts) > 1 and parts[-2].isdecimal() else ACCOUNT
        resource = f"arn:aws:sqs:{call.region}:{account}:{parts[-1]}"
    elif name := parameters.get("QueueName"):
        resource = f"{queue}{name}"
    else:
        resource = "*"
    yield Need(f"sqs:{_SQS_SINGLE.get(call.operation, call.operation)}", resource)
    if call.operation == "CreateQueue" and (parameters.get("tags") or parameters.get("Tags")):
        yield Need("sqs:TagQueue", resource)
    if call.operation == "StartMessageMoveTask":
        # https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/sqs-configure-dead-letter-queue-redrive.html
        for action in ("ReceiveMessage", "DeleteMessage", "GetQueueAttributes"):
            yield Need(f"sqs:{action}", resource)
        if destination := parameters.get("DestinationArn"):
            yield Need("sqs:SendMessage", str(destination))


# DynamoDB

_ON_NO_TABLE = {
    "DescribeEndpoints",
    "DescribeLimits",
    "ListBackups",
    "ListContributorInsights",
    "ListExports",
    "ListGlobalTables",
    "ListImports",
    "ListTables",
}
_LEADING = "dynamodb:leadingkeys"


def _dynamodb(call: Call) -> Iterator[Need]:
    parameters, operation = call.parameters, call.operation
    if operation in ("TransactWriteItems", "TransactGetItems"):
        for entry in _objects(parameters.get("TransactItems")):
            for name, request in entry.items():
                if isinstance(request, dict):
                    action = "ConditionCheckItem" if name == "ConditionCheck" else f"{name}Item"
                    yield _on_item(call, action, request.get("TableName"), [request.get("Item") or request.get("Key")])
    elif operation in ("BatchGetItem", "BatchWriteItem"):
        for tables in _objects([parameters.get("RequestItems")]):
            for table, entries in tables.items():
                yield _on_item(call, operation, table, _items_of_batch(entries))
    elif operation in ("ExecuteStatement", "BatchExecuteStatement", "ExecuteTransaction"):
        listed = parameters.get("Statements") or parameters.get("TransactStatements") or [parameters]
        for entry in _objects(listed):
            yield _partiql(call, str(entry.get("Statement", "")))
    elif operation in ("Query", "Scan"):
        yield _on_many(call)
    elif "TableName" in parameters:
        items = [parameters[part] for part in ("Item", "Key") if part in parameters]
        yield _on_item(call, operation, parameters["TableName"], items)
    else:
        names = ("ResourceArn", "BackupArn", "TableArn", "ExportArn", "ImportArn")
        resource = next((str(parameters[name]) for name in names if name in parameters), "*")
        yield Need(f"dynamodb:{operation}", "*" if operation in _ON_NO_TABLE else resource)


def _table_arn(call: Call, name: Any) -> str:
    return str(name) if str(name).startswith("arn:") else f"arn:aws:dynamodb:{call.region}:{ACCOUNT}:table/{name}"


def _on_item(call: Call, action: str, table: Any, items: list[Any]) -> Need:
    def context() -> Mapping[str, tuple[str, ...]]:
        names = Door.key_names(call.region, str(table).rpartition("/")[2])
        values = [item[names[0]] for item in _objects(items) if names and names[0] in item]
        return {_LEADING: tuple(_text(value) for value in values)} if values else _NONE

    return Need(f"dynamodb:{action}", _table_arn(call, table), context)


def _on_many(call: Call) -> Need:
    """A query or a scan: on the index, if it names one."""
    parameters = call.parameters
    resource = _table_arn(call, parameters.get("TableName", ""))
    if call.operation == "Scan":
        index = f"/index/{parameters['IndexName']}" if "IndexName" in parameters else ""
        return Need("dynamodb:Scan", resource + index)
    if "IndexName" in parameters:
        # The leading key is the index's own, which only its table knows.
        return Need("dynamodb:Query", f"{resource}/index/{parameters['IndexName']}", unknown=frozenset([_LEADING]))
    names = Door.key_names(call.region, str(parameters.get("TableName", "")).rpartition("/")[2])
    value = _partition_of_query(parameters, names[0]) if names else None
    if value is None:
        return Need("dynamodb:Query", resource, unknown=frozenset([_LEADING]))
    found = (_text(value),)
    return Need("dynamodb:Query", resource, lambda: {_LEADING: found})


def _partition_of_query(parameters: Mapping[str, Any], partition_key: str) -> Any:
    conditions = parameters.get("KeyConditions")
    if isinstance(conditions, dict) and isinstance(conditions.get(partition_key), dict):
        return next(iter(conditions[partition_key].get("AttributeValueList") or []), None)
    names, values = (parameters.get(f"ExpressionAttribute{part}") or {} for part in ("Names", "Values"))
    for name, value in re.findall(r"([#\w.-]+)\s*=\s*(:\w+)", str(parameters.get("KeyConditionExpression", ""))):
        if isinstance(names, dict) and isinstance(values, dict) and names.get(name, name) == partition_key:
            return values.get(value)
    return None


def _items_of_batch(entries: Any) -> list[Any]:
    """The items or keys that one table's part of a batch names."""
    if isinstance(entries, dict):
        keys = entries.get("Keys")
        return keys if isinstance(keys, list) else []
    return [
        request.get("Item") or request.get("Key")
        for entry in _objects(entries)
        for request in _objects(list(entry.values()))
    ]


_PARTIQL = {"select": "PartiQLSelect", "insert": "PartiQLInsert", "update": "PartiQLUpdate", "delete": "PartiQLDelete"}


def _partiql(call: Call, statement: str) -> Need:
    verb = statement.strip().partition(" ")[0].lower()
    found = re.search(
        r'(?i)\b(?:from|into|update|exists\s*\(\s*select\b.*?\bfrom)\s+"?([\w.-]+)"?(?:\."([\w.-]+)")?', statement
    )
    resource = _table_arn(call, found[1]) + (f"/index/{found[2]}" if found[2] else "") if found else "*"
    return Need(f"dynamodb:{_PARTIQL.get(verb, 'PartiQLSelect')}", resource, unknown=frozenset([_LEADING]))


# Lambda

_LAMBDA_ACTIONS = {
    "Invoke": "InvokeFunction",
    "InvokeAsync": "InvokeFunction",
    "InvokeWithResponseStream": "InvokeFunction",
    "GetLayerVersionByArn": "GetLayerVersion",
}


def _lambda(call: Call) -> Iterator[Need]:
    parameters, operation = call.parameters, call.operation
    name = parameters.get("FunctionName")
    function = _function_arn(call, str(name), str(parameters.get("Qualifier", ""))) if name else ""

    def context() -> Mapping[str, tuple[str, ...]]:
        return {"lambda:functionarn": (function,)} if function else _NONE

    action = f"lambda:{_LAMBDA_ACTIONS.get(operation, operation)}"
    if "EventSourceMapping" in operation:
        uuid = parameters.get("UUID")
        resource = f"arn:aws:lambda:{call.region}:{ACCOUNT}:event-source-mapping:{uuid}" if uuid else "*"
        yield Need(action, resource, context, frozenset() if function else frozenset(["lambda:functionarn"]))
        return
    if "LayerName" in parameters:
        version = f":{parameters['VersionNumber']}" if "VersionNumber" in parameters else ""
        yield Need(action, f"arn:aws:lambda:{call.region}:{ACCOUNT}:layer:{parameters['LayerName']}{version}")
        return
    tagged = parameters.get("Resource") or parameters.get("ResourceArn")
    yield Need(action, function or (str(tagged) if tagged else "*"), context)
    if operation in ("CreateFunction", "UpdateFunctionConfiguration"):
        if role := parameters.get("Role"):
            yield Need("iam:PassRole", str(role), lambda: {"iam:passedtoservice": ("lambda.amazonaws.com",)})
        layers = parameters.get("Layers")
        for layer in layers if isinstance(layers, list) else []:
            yield Need("lambda:GetLayerVersion", str(layer))


def _function_arn(call: Call, name: str, qualifier: str) -> str:
    """The ARN of a function that is named by its name, its ARN or a part of it, with or without a qualifier."""
    _, found, rest = name.rpartition("function:")
    plain, _, own = (rest if found else name).partition(":")
    qualifier = own or qualifier
    prefix = (
        name[: name.index("function:")]
        if name.startswith("arn:") and found
        else f"arn:aws:lambda:{call.region}:{ACCOUNT}:"
    )
    return f"{prefix}function:{plain}" + (f":{qualifier}" if qualifier else "")


# CloudWatch Logs: as it names a group or a stream that it refuses. A group is an ARN that ends in ":log-stream:", which
# "log-group:NAME:*" matches and "log-group:NAME" does not: https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_LogGroup.html


def _logs(call: Call) -> Iterator[Need]:
    parameters = call.parameters
    action = f"logs:{call.operation}"
    if arn := parameters.get("resourceArn"):
        yield Need(action, str(arn))
        return
    groups = parameters.get("logGroupNames") or parameters.get("logGroupIdentifiers")
    if not isinstance(groups, list):
        groups = [parameters.get("logGroupName") or parameters.get("logGroupIdentifier") or ""]
    for group in groups:
        name = str(group).partition(":log-group:")[2].removesuffix(":*") or str(group)
        stream = parameters.get("logStreamName", "")
        yield Need(action, f"arn:aws:logs:{call.region}:{ACCOUNT}:log-group:{name}:log-stream:{stream}")


# IAM and STS

_IAM_ENTITIES = (
    ("RoleName", "role"),
    ("GroupName", "group"),
    ("UserName", "user"),
    ("InstanceProfileName", "instance-profile"),
)
_IAM_ME = {
    "ChangePassword",
    "CreateAccessKey",
    "DeleteAccessKey",
    "GetUser",
    "ListAccessKeys",
    "UpdateAccessKey",
}


def _iam(call: Call, arn_of: ArnOf, me: str) -> Need:
    parameters, operation = call.parameters, call.operation

    def context() -> Mapping[str, tuple[str, ...]]:
        found = {
            "iam:policyarn": parameters.get("PolicyArn"),
            "iam:permissionsboundary": parameters.get("PermissionsBoundary"),
        }
        return {name: (str(value),) for name, value in found.items() if value}

    resource = "*"
    entity = next(((kind, parameters[name]) for name, kind in _IAM_ENTITIES if parameters.get(name)), None)
    if entity:
        kind, name = entity
        path = str(parameters.get("Path") or "/")
        resource = (
            _plain_arn(kind + path.rstrip("/"), str(name))
            if operation.startswith("Create") and path != "/"
            else arn_of(kind, str(name))
        )
    elif parameters.get("PolicyArn"):
        resource = str(parameters["PolicyArn"])
    elif operation == "CreatePolicy":
        resource = f"arn:aws:iam::{ACCOUNT}:policy{parameters.get('Path') or '/'}{parameters.get('PolicyName', '')}"
    elif operation in _IAM_ME:
        resource = me
    return Need(f"iam:{operation}", resource, context)


# What anybody may ask, even with a Deny: https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html,
# https://docs.aws.amazon.com/STS/latest/APIReference/API_GetSessionToken.html. The last two are not signed.
_STS_FREE = {"GetCallerIdentity", "GetSessionToken", "AssumeRoleWithSAML", "AssumeRoleWithWebIdentity"}


def _sts(call: Call) -> Iterator[Need]:
    if call.operation in _STS_FREE:
        return
    parameters = call.parameters

    def context() -> Mapping[str, tuple[str, ...]]:
        found = {
            "sts:externalid": parameters.get("ExternalId"),
            "sts:rolesessionname": parameters.get("RoleSessionName"),
        }
        return {name: (str(value),) for name, value in found.items() if value}

    resource = str(parameters.get("RoleArn") or "*")
    if call.operation == "GetFederationToken":
        resource = f"arn:aws:sts::{ACCOUNT}:federated-user/{parameters.get('Name', '')}"
    yield Need(f"sts:{call.operation}", resource, context)


def _objects(value: Any) -> list[dict[str, Any]]:
    """The JSON objects of a list; what a request holds wrongly is the service's to refuse."""
    return [entry for entry in value if isinstance(entry, dict)] if isinstance(value, list) else []


def _text(value: Any) -> str:
    """The text of a typed value: {"S": "a"} is a."""
    return str(next(iter(value.values()), "")) if isinstance(value, dict) else str(value)
