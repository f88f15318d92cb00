"""Whether a resource's policy lets S3, as a service, do something with it for one bucket.

AWS: https://docs.aws.amazon.com/AmazonS3/latest/userguide/grant-destinations-permissions-to-s3.html
Pure: it touches no moto. `policies` reads the policy, as it does for everybody who calls.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bentocola.cloud import policies

__all__ = ["allows"]

_S3 = "s3.amazonaws.com"


def allows(policy: str | Mapping[str, Any] | None, *, action: str, resource: str, bucket: str, account: str) -> bool:
    """Return whether `policy`, JSON or what it says, lets S3 do `action` on `resource` for events of `bucket`.

    `resource` is an ARN, `bucket` a name and `account` the 12 digits of who owns the bucket. Without a policy nothing is
    allowed; a statement that denies wins over all that allow.
    """
    context = {
        "aws:sourcearn": (f"arn:aws:s3:::{bucket}",),
        "aws:sourceaccount": (account,),
        "aws:securetransport": ("true",),
        "aws:principalisawsservice": ("true",),
        "aws:principalservicename": (_S3,),
    }
    document = policy if isinstance(policy, str) else json.dumps(policy)
    return policies.lets_service(document, _S3, action, resource, context)
