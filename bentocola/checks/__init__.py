"""How a test cell speaks to a student: what was observed, how it works, what to try next. Never the answer."""

from bentocola.checks.frame import Check, Fell, NotYet, Unanswered, check
from bentocola.checks.tryout import tryout

__all__ = ["Check", "Fell", "NotYet", "Unanswered", "check", "tryout"]
