"""What a course's nbgrader_config.py names, so that nbgrader's own commands and formgrader's buttons use the examiner:

    from autograder.nbgrader_plugin import use

    use()

It may touch the places where nbgrader looks up its converters, for nbgrader has no setting for them. It imports nothing heavy:
the configuration is read by each of nbgrader's commands.
"""

from __future__ import annotations

import os
import sys

__all__ = ["STOCK", "use"]

STOCK = "AUTOGRADER_STOCK"
"""With this environment variable set, nbgrader stays as it is: to compare, or to go back for once."""
_PLACES = {
    "Autograde": ("nbgrader.converters", "nbgrader.apps.autogradeapp", "nbgrader.apps.api"),
    "GenerateFeedback": ("nbgrader.converters", "nbgrader.apps.generatefeedbackapp", "nbgrader.apps.api"),
}
"""Where a converter's name is looked up. Its own module is none: the stock class finds itself there."""


def use() -> None:
    """Let `nbgrader autograde`, `nbgrader generate_feedback` and formgrader do as `autograder grade` and `autograder feedback`.

    Without effect in a process that has not imported nbgrader's commands, such as our own.
    """
    if os.environ.get(STOCK) or "nbgrader.converters" not in sys.modules:
        return
    from autograder import nbgrader_converters

    for name, places in _PLACES.items():
        for place in places:
            if place in sys.modules:
                setattr(sys.modules[place], name, getattr(nbgrader_converters, name))
