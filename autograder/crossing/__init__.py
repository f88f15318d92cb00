"""Values, functions and exceptions on their way between examiner and candidate: `Crossing` is one end of it."""

from autograder.crossing.crossing import Crossing
from autograder.crossing.errors import CandidateExit
from autograder.crossing.standins import StandIn

__all__ = ["CandidateExit", "Crossing", "StandIn"]
