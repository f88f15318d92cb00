"""What S3 refuses of any request: a bucket's name, a key that is too long, a bucket of somebody else.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html,
https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html (1,024 bytes of UTF-8) and
https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html.
moto 5.2.5 (`moto/s3/`) looks at the length of a bucket's name, and at nothing else of these.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from typing import Any

__all__ = ["install", "self_test"]

LONGEST_KEY = 1024
"""Bytes."""
_NAME = re.compile(r"(?!xn--|sthree-|amzn-s3-demo-|\d+\.\d+\.\d+\.\d+$)[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]")
_FORBIDDEN_ENDS = ("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3")
_of_moto: dict[str, Callable[..., Any]] = {}


def _create_bucket(backend: Any, bucket_name: str, *arguments: Any, **named: Any) -> Any:
    from moto.s3.exceptions import InvalidBucketName

    if not _NAME.fullmatch(bucket_name) or bucket_name.endswith(_FORBIDDEN_ENDS):
        raise InvalidBucketName
    return _of_moto["create_bucket"](backend, bucket_name, *arguments, **named)


def _bucket_response(response: Any, request: Any, full_url: str) -> Any:
    _check_owner(response, request)
    return _of_moto["_bucket_response"](response, request, full_url)


def _key_response(response: Any, request: Any, full_url: str) -> Any:
    from moto.s3.exceptions import S3ClientError

    if len(response.parse_key_name().encode(errors="surrogateescape")) > LONGEST_KEY:
        raise S3ClientError("KeyTooLongError", "Your key is too long")
    _check_owner(response, request)
    return _of_moto["_key_response"](response, request, full_url)


def _check_owner(response: Any, request: Any) -> None:
    from moto.s3.exceptions import S3AccessDeniedError

    for header in ("x-amz-expected-bucket-owner", "x-amz-source-expected-bucket-owner"):
        expected = request.headers.get(header)
        if expected and expected != response.current_account:
            raise S3AccessDeniedError


_AMENDED: dict[str, Callable[..., Any]] = {
    "create_bucket": _create_bucket,
    "_bucket_response": _bucket_response,
    "_key_response": _key_response,
}


def _holders() -> dict[str, Any]:
    from moto.s3.models import S3Backend
    from moto.s3.responses import S3Response

    return {"create_bucket": S3Backend, "_bucket_response": S3Response, "_key_response": S3Response}


def install() -> None:
    """Look at requests before moto does."""
    for name, holder in _holders().items():
        if (theirs := getattr(holder, name)) is not _AMENDED[name]:
            _of_moto[name] = theirs
            setattr(holder, name, _AMENDED[name])


def self_test() -> None:
    """Raise if this moto's S3 no longer has the methods, called as they are amended here."""
    for name, holder in _holders().items():
        theirs = _of_moto.get(name, getattr(holder, name))
        inspect.signature(theirs).bind(None, "a", "b")
    from moto.s3.responses import S3Response

    inspect.signature(S3Response.parse_key_name).bind(None)
