"""A function's deployment package as Lambda documents it: where it comes from, how large it may be, and that it is a zip.

AWS: https://docs.aws.amazon.com/lambda/latest/api/API_FunctionCode.html,
https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html and
https://docs.aws.amazon.com/lambda/latest/dg/troubleshooting-deployment.html
moto 5.2.5 takes anything for a zip. The words for an archive that cannot be opened, that is empty or too large are AWS's.
"""

from __future__ import annotations

import base64
import binascii
import io
import zipfile
from typing import Any

from bentocola.cloud.amendments.lambda_requests import Parameters, Refusal, invalid

__all__ = ["ZIPPED_MAXIMUM", "read_code"]

ZIPPED_MAXIMUM = 50 * 1024 * 1024
"""Bytes of a zip in the request itself."""
_REQUEST_MAXIMUM = 70_167_211
"""What AWS says it takes of such a request, the zip in Base64 with the rest."""
_UNZIPPED_MAXIMUM = 262_144_000

_NO_ZIP = "Could not unzip uploaded file. Please check your file, then try to upload again."


def read_code(backend: Any, code: Parameters, operation: str) -> str:
    """Return the deployment package that a request gives or names, checked, in Base64. Raises Refusal with AWS's words."""
    in_s3 = [name for name in ("S3Bucket", "S3Key", "S3ObjectVersion") if code.get(name) is not None]
    if "ZipFile" in code:
        if in_s3 or code.get("ImageUri"):
            raise invalid("Please do not provide other FunctionCode parameters when providing a ZipFile.")
        archive = _uploaded(code["ZipFile"], operation)
    elif code.get("S3Bucket") and code.get("S3Key"):
        archive = _stored(backend, code)
    else:
        raise invalid("Please provide a source for function code.")
    _check(archive)
    return base64.b64encode(archive).decode()


def _uploaded(text: str, operation: str) -> bytes:
    try:
        archive = base64.b64decode(text, validate=True)
    except binascii.Error:
        raise invalid(_NO_ZIP) from None
    if len(archive) > ZIPPED_MAXIMUM:
        raise Refusal(
            "RequestEntityTooLargeException",
            f"Request must be smaller than {_REQUEST_MAXIMUM} bytes for the {operation} operation",
            413,
        )
    return archive


def _stored(backend: Any, code: Parameters) -> bytes:
    from moto.s3.exceptions import S3ClientError
    from moto.s3.models import s3_backends

    s3 = s3_backends[backend.account_id][backend.partition]
    try:
        bucket = s3.head_bucket(code["S3Bucket"])
    except S3ClientError:
        raise _unreadable("NoSuchBucket", "The specified bucket does not exist") from None
    if bucket.region_name != backend.region_name:
        raise _unreadable(
            "PermanentRedirect",
            f"The bucket is in this region: {bucket.region_name}. Please use this region to retry the request",
        )
    version = code.get("S3ObjectVersion")
    try:
        found = s3.get_object(code["S3Bucket"], code["S3Key"], version_id=version)
    except S3ClientError:
        found = None
    if found is None or not hasattr(found, "value"):
        if version:
            raise _unreadable("NoSuchVersion", "The specified version does not exist.")
        raise _unreadable("NoSuchKey", "The specified key does not exist.")
    return bytes(found.value)


def _unreadable(code: str, message: str) -> Refusal:
    return invalid(f"Error occurred while GetObject. S3 Error Code: {code}. S3 Error Message: {message}")


def _check(archive: bytes) -> None:
    """An archive with something in it that can be unpacked, to no more than the limit."""
    if not archive:
        raise invalid("Uploaded file must be a non-empty zip")
    try:
        with zipfile.ZipFile(io.BytesIO(archive)) as opened:
            entries = opened.infolist()
            if not entries:
                raise invalid("Uploaded file must be a non-empty zip")
            if sum(entry.file_size for entry in entries) > _UNZIPPED_MAXIMUM:
                raise invalid(f"Unzipped size must be smaller than {_UNZIPPED_MAXIMUM} bytes")
            broken = opened.testzip()
    except Refusal:
        raise
    except Exception:  # a password, an unknown format, a wrong length: each decoder has errors of its own
        raise invalid(_NO_ZIP) from None
    if broken is not None:
        raise invalid(_NO_ZIP)
