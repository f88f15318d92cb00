"""One `aws` command in a process of its own: `python -I -m bentocola.cli.aws.cold ENDPOINT [ARGUMENT ...]`.

The way where there is no warm process: on Windows, for pages of help, or when it has gone.
"""

from __future__ import annotations

import os
import sys

from bentocola.cli import finding, ready
from bentocola.cli.language import tell

__all__ = ["main"]

_REACHED_NOBODY = 255
"""What awscli ends with then."""
_ASKS_NOBODY = {"help", "--version", "--endpoint-url"}


def main() -> int:
    """Run the command line's command and return its exit status."""
    endpoint, *arguments = sys.argv[1:]
    again = os.environ.get(ready.AGAIN)
    # In a shell whose cloud has ended awscli would try for seconds, and then name an address.
    is_asked = os.environ.get("AWS_ENDPOINT_URL") == endpoint and not _ASKS_NOBODY & set(arguments)
    if again and is_asked and (refusal := _refusal(endpoint, os.environ.get(ready.LAB), again)):
        tell(refusal)
        return _REACHED_NOBODY
    from bentocola.cli.aws.driver import run

    return run(arguments, endpoint)


def _refusal(endpoint: str, lab: str | None, again: str) -> str | None:
    """What is said where the shell's cloud has ended, though another one may have its port; None where it is there."""
    if not lab:
        return None if ready.answers(endpoint) else finding.ended(again)
    presence = ready.lab_presence(endpoint, lab)
    if presence == "silent":
        return finding.silent(endpoint)
    return finding.ended(again) if presence == "gone" else None


if __name__ == "__main__":
    sys.exit(main())
