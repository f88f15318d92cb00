"""What a course's nbgrader_config.py names, so that nbgrader's own commands and formgrader's buttons use the examiner:

    from pathlib import Path

    from autograder.nbgrader_plugin import use

    use(secret=Path(__file__).with_name("secret.txt"))

It may touch the places where nbgrader looks up its converters, for nbgrader has no setting for them, and one environment variable
(`autograder.secret`). It imports nothing heavy: the configuration is read by each of nbgrader's commands.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

__all__ = ["STOCK", "use"]

STOCK = "AUTOGRADER_STOCK"
"""With this environment variable set, nbgrader stays as it is: to compare, or to go back for once."""
_PLACES = {
    "Autograde": ("nbgrader.converters", "nbgrader.apps.autogradeapp", "nbgrader.apps.api"),
    "GenerateFeedback": ("nbgrader.converters", "nbgrader.apps.generatefeedbackapp", "nbgrader.apps.api"),
}
"""Where a converter's name is looked up. Its own module is none: the stock class finds itself there."""


def use(secret: Path | None = None) -> None:
    """Let `nbgrader autograde`, `nbgrader generate_feedback` and formgrader do as `autograder grade` and `autograder feedback`.

    Without effect in a process that has not imported nbgrader's commands, such as our own. `secret`: the file with the course's
    secret, which is put into the environment, in any process, unless that has one already.
    """
    if secret is not None:
        _adopt(secret)
    if "nbgrader.converters" not in sys.modules:
        return
    if os.environ.get(STOCK):
        if secret is not None and "autograde" in " ".join(sys.argv[:2]):
            _warn(secret)
        return
    from autograder import nbgrader_converters

    for name, places in _PLACES.items():
        for place in places:
            if place in sys.modules:
                setattr(sys.modules[place], name, getattr(nbgrader_converters, name))


def _adopt(path: Path) -> None:
    from autograder.secret import adopt

    try:
        adopt(path)
    except (OSError, ValueError) as error:
        print(f"{path}: {error}", file=sys.stderr)


def _warn(path: Path) -> None:
    """Say on the terminal that there is no secret: stock nbgrader has no table of ours to say it in."""
    from autograder.secret import is_public, warning
    from autograder.voice import language_here, put, voice

    if is_public():
        put(warning(voice(language_here()), path.parent), sys.stderr)
