"""Trying out the student's own function in a lesson: one line a case, and nothing is graded."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from bentocola.cloud.cloud import Cloud

__all__ = ["tryout"]


def tryout(cloud: Cloud, function: Callable[[Any], Any], cases: Iterable[tuple[Any, Any]]) -> None:
    """Call `function` once for each (argument, expected result) and print ✓, or what came instead.

    Raises nothing: an exception of the student's code is printed as well.
    """
    for argument, expected in cases:
        call = f"{function.__name__}({argument!r})"
        try:
            got = function(argument)
        except NotImplementedError:
            message = "{answer} has no code yet, or still raises NotImplementedError. Mend the cell above, run it and try again."
            print(cloud.say(message, answer=function.__name__))
            return
        except Exception as error:  # the student's own: shown, so that the next case is tried as well
            print(cloud.say("✗ {call} stopped with {error}", call=call, error=f"{type(error).__name__}: {error}"))
            continue
        if got == expected:
            print(f"✓ {call} → {got!r}")
        else:
            print(
                cloud.say("✗ {call} → {got}. Expected: {expected}", call=call, got=repr(got), expected=repr(expected))
            )
