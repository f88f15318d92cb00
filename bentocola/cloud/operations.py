"""Which operation of which service a request asks for, and with what: read from its address, headers and body.

It knows the protocols, not the services behind them: nothing here looks at what the local cloud holds.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any
from urllib.parse import parse_qs, parse_qsl, unquote, urlsplit

__all__ = ["bucket_and_path", "names", "read"]

Parameters = dict[str, Any]


def read(service: str, method: str, url: str, header: Callable[[str], str], body: bytes) -> tuple[str, Parameters]:
    """Return the operation's name as the API reference has it, and its parameters as far as they can be read.

    The name is empty where the request names none. `header(name)` gives a header's value, or an empty text.
    """
    if service == "s3":
        return _of_s3(method, url, header)
    if service == "lambda":
        return _of_lambda(method, url, body)
    target = header("X-Amz-Target")
    if not target and b"Action=" in body:
        form = dict(parse_qsl(body.decode(errors="replace"), keep_blank_values=True))
        return form.pop("Action", ""), form
    return target.rpartition(".")[2], _object(body)


@cache
def names(service: str) -> frozenset[str]:
    """Return the operations that a service's own description has."""
    from bentocola.cloud import models

    return frozenset(models.loader().load_service_model(service, "service-2")["operations"])


def _object(body: bytes) -> Parameters:
    """The JSON object of a body; none where it holds anything else, which is the service's to refuse."""
    try:
        found = json.loads(body or b"{}")
    except (ValueError, RecursionError):  # no JSON, or nested deeper than anybody means
        return {}
    return found if isinstance(found, dict) else {}


# S3: the operation is the method with the address.

_SUBRESOURCES = {
    "notification": "NotificationConfiguration",
    "versioning": "Versioning",
    "policy": "Policy",
    "tagging": "Tagging",
    "acl": "Acl",
    "location": "Location",
    "versions": "Versions",
}
_VERBS = {"GET": "Get", "PUT": "Put", "DELETE": "Delete", "HEAD": "Head", "POST": "Post"}
_LISTS = {"GetBucketVersions": "ListObjectVersions"}
_OF_UPLOAD = {"PUT": "UploadPart", "POST": "CompleteMultipartUpload", "DELETE": "AbortMultipartUpload"}
_OF_BUCKET = {"PUT": "CreateBucket", "DELETE": "DeleteBucket", "HEAD": "HeadBucket"}


def bucket_and_path(url: str) -> tuple[str, str]:
    """Return the bucket that the host names (empty for a path-style address) and the path."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    # "bucket.s3.region.amazonaws.com", "bucket.s3-accelerate.…"; at a loopback endpoint "bucket.localhost".
    named = re.match(r"(.+?)\.(?:s3[.-]|localhost$)", host)
    return (named[1] if named else ""), parts.path or "/"


def _of_s3(method: str, url: str, header: Callable[[str], str]) -> tuple[str, Parameters]:
    """As far as a trace and a policy need to tell operations apart. Parameters: Bucket, Key, and the source of a copy."""
    bucket, path = bucket_and_path(url)
    if not bucket:
        bucket, _, path = path.lstrip("/").partition("/")
        path = f"/{path}"
    key = unquote(path[1:])
    named = {name: value for name, value in (("Bucket", bucket), ("Key", key)) if value}
    if not bucket:
        return "ListBuckets", named
    query = parse_qs(urlsplit(url).query, keep_blank_values=True)
    verb = _VERBS.get(method, method.title())
    source = header("x-amz-copy-source")
    if source:
        named["CopySource"] = unquote(source)
    if "uploads" in query:
        return ("CreateMultipartUpload" if method == "POST" else "ListMultipartUploads"), named
    if "uploadId" in query:
        name = _OF_UPLOAD.get(method, "ListParts")
        return ("UploadPartCopy" if name == "UploadPart" and source else name), named
    for subresource, name in _SUBRESOURCES.items():
        if subresource in query:
            operation = f"{verb}{'Object' if key else 'Bucket'}{name}"
            return _LISTS.get(operation, operation), named
    if key:
        return ("CopyObject" if source else f"{verb}Object"), named
    if method == "POST":
        return ("DeleteObjects" if "delete" in query else "PostObject"), named
    return _OF_BUCKET.get(method, "ListObjectsV2" if "list-type" in query else "ListObjects"), named


# Lambda: the operation is the method with the address, after the patterns of the API's own description.


def _of_lambda(method: str, url: str, body: bytes) -> tuple[str, Parameters]:
    parts = urlsplit(url)
    path = parts.path.rstrip("/")
    for operation, pattern in _addresses().get(method, ()):
        if found := pattern.fullmatch(path):
            named: Parameters = {name: unquote(value) for name, value in found.groupdict().items()}
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            # The body of an invocation is the function's own event.
            return operation, {**({} if operation.startswith("Invoke") else _object(body)), **query, **named}
    return "", {}


@cache
def _addresses() -> Mapping[str, list[tuple[str, re.Pattern[str]]]]:
    """The operations of each HTTP method, those with the most fixed address first."""
    from bentocola.cloud import models

    found: dict[str, list[tuple[int, str, re.Pattern[str]]]] = {}
    operations = models.loader().load_service_model("lambda", "service-2")["operations"]
    for name, operation in operations.items():
        path = operation["http"]["requestUri"].partition("?")[0].rstrip("/")
        pattern = re.sub(r"\\\{(\w+)(?:\\\+)?\\\}", r"(?P<\1>[^/]+)", re.escape(path))
        found.setdefault(operation["http"]["method"], []).append((path.count("{"), name, re.compile(pattern)))
    return {method: [entry[1:] for entry in sorted(entries, key=lambda e: e[0])] for method, entries in found.items()}
