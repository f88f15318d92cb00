"""The environment in which the course's `aws` and other programs run: the fake keys, the local cloud's address.

It computes variables and changes none.
"""

from __future__ import annotations

from collections.abc import Mapping

__all__ = ["MARK", "prepared"]

MARK = "BENTOCOLA_SHELL"
"""Set in a shell of the course, to the local cloud's address."""

_HERE = "127.0.0.1,localhost,::1"


def prepared(environment: Mapping[str, str], course: Mapping[str, str]) -> dict[str, str]:
    """Return the environment with the person's own AWS settings set aside, and the course's in force.

    `course`: the AWS variables that a ready file tells. The person's proxies stay, for other programs' sake; what goes to the
    local cloud passes them by.
    """
    kept = {name: value for name, value in environment.items() if not name.upper().startswith("AWS_")}
    for name in ("no_proxy", "NO_PROXY"):
        kept[name] = f"{kept[name]},{_HERE}" if kept.get(name) else _HERE
    return {**kept, **course}
