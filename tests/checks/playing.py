"""Jobs in short, and the worlds in which a right answer, or another one, works."""

from __future__ import annotations

from bentocola.checks.orders import Jobs, Uploads
from bentocola.checks.schedule import Job
from bentocola.checks.stage import Stage
from bentocola.checks.worlds import Consumed, Handled, Saved
from tests.checks.students import CONSUMER, HANDLER_05, SAVE, function

WRITE = "dynamodb:[PUT]*"
ORDER, OTHER, BROKEN = Job("order"), Job("order", 1), Job("broken")


def handled(stage: Stage, source: str = HANDLER_05) -> Handled:
    """A world in which a handler of assignment 05 works."""
    return Handled(stage, Jobs(stage.cloud.names, None), function(source), reports=False)


def consumed(stage: Stage, source: str = CONSUMER) -> Consumed:
    """A world in which a consumer of our own works."""
    return Consumed(stage, Uploads(stage.cloud.names, None), function(source), (ValueError,))


def saved(stage: Stage, source: str = SAVE) -> Saved:
    """A world in which items are saved."""
    return Saved(stage, Jobs(stage.cloud.names, None), function(source))
