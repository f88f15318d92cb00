"""Who calls with the student's own key is the account's user `student`, in STS and in IAM.

AWS: https://docs.aws.amazon.com/STS/latest/APIReference/API_GetCallerIdentity.html (an IAM user's ARN is one of IAM),
https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html#identifiers-unique-ids (a user's id begins with AIDA),
https://docs.aws.amazon.com/IAM/latest/APIReference/API_GetUser.html (without a name: who calls).
moto 5.2.5 (`moto/sts/models.py`, `moto/iam/responses.py`): a key that it did not issue is `arn:aws:sts::…:user/moto` with the
id of an access key, and for IAM a user `default_user`. Users and roles whose keys it issued it names as AWS does, but for a
user's id, which is no AIDA….
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable
from typing import Any

__all__ = ["install", "self_test"]

_NAME, _ID = "student", "AIDABENTOCOLASTUDENT"
_of_moto: dict[str, Callable[..., Any]] = {}
"""moto's own by their names, once `install` has put the amended ones in their place."""


def install() -> None:
    """Give the student a name."""
    from moto.iam.models import User
    from moto.sts.models import STSBackend
    from moto.sts.responses import TokenResponse

    if _of_moto:
        return
    responses: Any = importlib.import_module("moto.iam.responses")
    _of_moto["get_caller_identity"] = STSBackend.get_caller_identity
    _of_moto["assume_role"] = TokenResponse.assume_role
    _of_moto["User"] = User.__init__
    _of_moto["default_user"] = responses.User
    changes: tuple[tuple[Any, str, Callable[..., Any]], ...] = (
        (STSBackend, "get_caller_identity", _get_caller_identity),
        (TokenResponse, "assume_role", _assume_role),
        (User, "__init__", _init_user),
        (responses, "User", _default_user),
    )
    for holder, name, ours in changes:
        setattr(holder, name, ours)


def _get_caller_identity(backend: Any, access_key_id: str, region: str) -> tuple[str, str, str]:
    user_id, arn, account = _of_moto["get_caller_identity"](backend, access_key_id, region)
    if arn.endswith(":user/moto") and ":sts:" in arn:
        return _ID, f"arn:{backend.partition}:iam::{account}:user/{_NAME}", account
    return user_id, arn, account


def _assume_role(response: Any) -> Any:
    """moto's, for a session of a quarter of an hour at least and twelve hours at most.

    https://docs.aws.amazon.com/STS/latest/APIReference/API_AssumeRole.html
    """
    from moto.sts.exceptions import STSValidationError

    seconds = response._get_int_param("DurationSeconds", 3600)
    if not 900 <= seconds <= 43200:
        bound = "greater than or equal to 900" if seconds < 900 else "less than or equal to 43200"
        raise STSValidationError(
            f"1 validation error detected: Value '{seconds}' at 'durationSeconds' failed to satisfy constraint: "
            f"Member must have value {bound}"
        )
    return _of_moto["assume_role"](response)


def _init_user(user: Any, *arguments: Any, **named: Any) -> None:
    _of_moto["User"](user, *arguments, **named)
    user.id = f"AIDA{user.id[4:].upper()}"


def _default_user(account_id: str, region_name: str, name: str) -> Any:
    """What IAM's answers make a user of, when the caller is none that it knows."""
    user = _of_moto["default_user"](account_id, region_name=region_name, name=_NAME)
    user.id = _ID
    return user


def self_test() -> None:
    """Raise if this moto no longer names callers where it did."""
    from moto.iam import responses
    from moto.sts.models import STSBackend
    from moto.sts.responses import TokenResponse

    inspect.signature(TokenResponse.assume_role).bind(None)
    if list(inspect.signature(STSBackend.get_caller_identity).parameters)[1:] != ["access_key_id", "region"]:
        raise TypeError("get_caller_identity takes other arguments")
    if 'name="default_user"' not in inspect.getsource(responses.IamResponse.get_user):
        raise ValueError("IAM's get_user names the caller in another way")
    if not _of_moto and ":user/moto" not in inspect.getsource(STSBackend.get_caller_identity):
        raise ValueError("STS names an unknown caller in another way")
