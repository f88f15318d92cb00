"""The errors that a student or a teacher may see. Each is one whole sentence in their language, without a traceback."""

from __future__ import annotations

from collections.abc import Callable

from bentocola.messages import both

__all__ = [
    "CourseError",
    "FaultError",
    "NothingLeavesError",
    "SecondsError",
    "UnknownEditionError",
    "UntestedMotoError",
    "ViewError",
    "WorkerStopped",
]


class CourseError(Exception):
    """An error whose message is all that its reader needs: what was expected, what came, what to do."""

    def _render_traceback_(self) -> list[str]:
        """What IPython shows instead of a traceback.

        Source: https://ipython.readthedocs.io/en/stable/config/integrating.html (custom exceptions).
        """
        return str(self).splitlines()


class NothingLeavesError(CourseError, RuntimeError):
    """Something other than boto3 turned to an address of AWS while the local cloud runs.

    It is no OSError: urllib, urllib3 and others wrap one in an error of their own, or try again.
    """


class SecondsError(CourseError, ValueError):
    """The clock was to be moved by something that is no number of seconds from 0 on."""


class FaultError(CourseError, ValueError):
    """A fault was to be planned that cannot happen."""


class ViewError(CourseError, ValueError):
    """A view was asked for something that it cannot show."""


class WorkerStopped(BaseException):
    """A planned fault stops whoever calls, as when a machine dies: no `except Exception` goes on after it."""

    def __init__(self, say: Callable[..., str] = both) -> None:
        super().__init__(say("The worker stops here: that is the fault that was planned."))

    def _render_traceback_(self) -> list[str]:
        return str(self).splitlines()


class UnknownEditionError(CourseError, ValueError):
    """`bentocola.start` was asked for an edition that does not exist."""

    def __init__(self, edition: object, choices: list[str]) -> None:
        self.edition = edition
        listed = ", ".join(f'"{choice}"' for choice in choices)
        super().__init__(both("start() expects one of {choices}; it got {got!r}.", choices=listed, got=edition))


class UntestedMotoError(CourseError, RuntimeError):
    """The installed moto is not the tested one, and it breaks what the local cloud builds on."""

    def __init__(self, installed: str, tested: str, broken: list[str]) -> None:
        self.broken = broken
        super().__init__(
            both(
                "The local cloud was tested with moto {tested}; moto {installed} is installed and breaks: {broken}. "
                'Install the tested one with: python -m pip install "moto=={tested}"',
                tested=tested,
                installed=installed,
                broken=", ".join(broken),
            )
        )
