"""The environment variables of a function: those that Lambda documents, those that it is configured with, nothing else of ours.

https://docs.aws.amazon.com/lambda/latest/dg/configuration-envvars.html (Defined runtime environment variables). Left out:
AWS_LAMBDA_RUNTIME_API and LAMBDA_RUNTIME_DIR, for there is neither here.
"""

from __future__ import annotations

import hashlib
import os
import sys
from collections.abc import Mapping

from bentocola.cloud.functions.spec import Credentials, FunctionSpec

__all__ = ["bare", "of_function", "trace_header"]

_TO_START = {"PATH", "SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT", "LANG", "LANGUAGE"}


def bare(own: Mapping[str, str], folder: str) -> dict[str, str]:
    """Return what a process needs to start, out of `own`; its home and temporary folder is `folder`.

    There is no configuration of AWS in it, and the look-up of credentials at a metadata service is off.
    """
    kept = {name: value for name, value in own.items() if name.upper() in _TO_START or name.upper().startswith("LC_")}
    kept.update(dict.fromkeys(("HOME", "USERPROFILE", "TMPDIR", "TEMP", "TMP"), folder))
    kept.update(
        AWS_CONFIG_FILE=os.devnull,
        AWS_SHARED_CREDENTIALS_FILE=os.devnull,
        AWS_EC2_METADATA_DISABLED="true",
        TZ="UTC" if sys.platform == "win32" else ":UTC",  # as documented; Windows knows no colon
    )
    return kept


def of_function(
    spec: FunctionSpec, credentials: Credentials, own: Mapping[str, str], *, task: str, folder: str, log_stream: str
) -> dict[str, str]:
    """Return the whole environment of a function. `task`: the folder of its code; `folder`: its temporary one."""
    return {
        **bare(own, folder),
        **spec.environment,
        "_HANDLER": spec.handler,
        "AWS_ACCESS_KEY_ID": credentials.access_key,
        "AWS_SECRET_ACCESS_KEY": credentials.secret_key,
        "AWS_SESSION_TOKEN": credentials.session_token,
        "AWS_REGION": spec.region,
        "AWS_DEFAULT_REGION": spec.region,
        "AWS_EXECUTION_ENV": f"AWS_Lambda_{spec.runtime}",
        "AWS_LAMBDA_FUNCTION_NAME": spec.name,
        "AWS_LAMBDA_FUNCTION_MEMORY_SIZE": str(spec.memory),
        "AWS_LAMBDA_FUNCTION_VERSION": spec.version,
        "AWS_LAMBDA_INITIALIZATION_TYPE": "on-demand",
        "AWS_LAMBDA_LOG_GROUP_NAME": spec.log_group or f"/aws/lambda/{spec.name}",
        "AWS_LAMBDA_LOG_STREAM_NAME": log_stream,
        "LAMBDA_TASK_ROOT": task,
    }


def trace_header(request_id: str, seconds: float) -> str:
    """Make the tracing header of a run that nobody traces, always the same for the same run.

    https://docs.aws.amazon.com/xray/latest/devguide/xray-concepts.html#xray-concepts-tracingheader
    """
    digits = hashlib.sha256(request_id.encode()).hexdigest()
    return f"Root=1-{int(seconds):08x}-{digits[:24]};Parent={digits[24:40]};Sampled=0"
