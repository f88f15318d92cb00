"""One `aws` command in a process of its own: `python -I -m bentocola.cli.aws.cold ENDPOINT [ARGUMENT ...]`.

The way where there is no warm process: on Windows, for pages of help, or when it has gone.
"""

from __future__ import annotations

import sys

from bentocola.cli.aws.driver import run

__all__ = ["main"]


def main() -> int:
    """Run the command line's command and return its exit status."""
    return run(sys.argv[2:], sys.argv[1])


if __name__ == "__main__":
    sys.exit(main())
