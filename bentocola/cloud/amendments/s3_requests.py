"""What S3 refuses of any request: a bucket's name, a key that is too long, a bucket of somebody else.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucketnamingrules.html,
https://docs.aws.amazon.com/AmazonS3/latest/userguide/object-keys.html (1,024 bytes of UTF-8) and
https://docs.aws.amazon.com/AmazonS3/latest/userguide/bucket-owner-condition.html.
moto 5.2.5 (`moto/s3/`) looks at the length of a bucket's name, and at nothing else of these.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from typing import Any

from bentocola.cloud.amendments import places

__all__ = ["install", "self_test"]

LONGEST_KEY = 1024
"""Bytes."""
_NAME = re.compile(r"(?!xn--|sthree-|amzn-s3-demo-|\d+\.\d+\.\d+\.\d+$)[a-z0-9](?:[a-z0-9-]|\.(?!\.)){1,61}[a-z0-9]")
_FORBIDDEN_ENDS = ("-s3alias", "--ol-s3", ".mrap", "--x-s3", "--table-s3")
_of_moto: dict[str, Callable[..., Any]] = {}


def _create_bucket(self: Any, bucket_name: str, region_name: str, bucket_namespace: str | None = None) -> Any:
    from moto.s3.exceptions import InvalidBucketName

    if not _NAME.fullmatch(bucket_name) or bucket_name.endswith(_FORBIDDEN_ENDS):
        raise InvalidBucketName
    return _of_moto["create_bucket"](self, bucket_name, region_name, bucket_namespace)


def _bucket_response(self: Any, request: Any, full_url: str) -> Any:
    _check_owner(self, request)
    return _of_moto["_bucket_response"](self, request, full_url)


def _key_response(self: Any, request: Any, full_url: str) -> Any:
    from moto.s3.exceptions import S3ClientError

    if len(self.parse_key_name().encode(errors="surrogateescape")) > LONGEST_KEY:
        raise S3ClientError("KeyTooLongError", "Your key is too long")
    _check_owner(self, request)
    return _of_moto["_key_response"](self, request, full_url)


def _check_owner(response: Any, request: Any) -> None:
    from moto.s3.exceptions import S3AccessDeniedError

    for header in ("x-amz-expected-bucket-owner", "x-amz-source-expected-bucket-owner"):
        expected = request.headers.get(header)
        if expected and expected != response.current_account:
            raise S3AccessDeniedError


def _amended() -> Iterator[places.Place]:
    from moto.s3.models import S3Backend
    from moto.s3.responses import S3Response

    yield S3Backend, "create_bucket", _create_bucket
    yield S3Response, "_bucket_response", _bucket_response
    yield S3Response, "_key_response", _key_response


def install() -> None:
    """Look at requests before moto does."""
    places.put(_amended(), _of_moto)


def self_test() -> None:
    """Raise if this moto's S3 no longer has the methods, called as they are amended here."""
    from moto.s3.responses import S3Response

    places.expect_signatures(_amended())
    inspect.signature(S3Response.parse_key_name).bind(None)
