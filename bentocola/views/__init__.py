"""The stepper and the AWS view: what draws a trace, in a notebook and in a plain page.

A class of anywidget's kind each, over one ES module, `static/views.mjs`, which `make views` bundles from `source/`. The classes
are imported when they are asked for: anywidget takes its time, and most of the course does without.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bentocola.views.aws import AwsView
    from bentocola.views.stepper import Stepper

__all__ = ["AwsView", "Stepper"]

_WHERE = {"AwsView": "bentocola.views.aws", "Stepper": "bentocola.views.stepper"}


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(importlib.import_module(_WHERE[name]), name)
