"""How a test cell speaks to a student: what was observed, how it works, what to try next. Never the answer."""

from bentocola.checks.frame import Check, check
from bentocola.checks.notyet import Broken, Fell, FrameError, NotYet, Unanswered
from bentocola.checks.result import Result
from bentocola.checks.tryout import tryout

__all__ = ["Broken", "Check", "Fell", "FrameError", "NotYet", "Result", "Unanswered", "check", "tryout"]
