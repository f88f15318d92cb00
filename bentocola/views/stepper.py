"""The stepper in a notebook: what happened, one step at a time, forwards and back."""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

import traitlets

from bentocola.cloud import cloud as clouds
from bentocola.cloud.cloud import Cloud
from bentocola.cloud.faults import Faults
from bentocola.cloud.functions.poller import Handler
from bentocola.cloud.trace import SCHEMA, Trace, TraceData
from bentocola.errors import FaultError, ViewError
from bentocola.messages import LANGUAGES, translate
from bentocola.reasons import why
from bentocola.views import stories, summary
from bentocola.views.sources import CloudSource
from bentocola.views.widget import View

__all__ = ["Stepper"]

_FAULTS: dict[str, Callable[[Faults, str], object]] = {
    "throttle": lambda faults, operation: faults.throttle(operation),
    "lost_response": lambda faults, operation: faults.lose_response(operation),
    "stop_before": lambda faults, operation: faults.stop_worker(before=operation),
    "stop_after": lambda faults, operation: faults.stop_worker(after=operation),
    "deliver_again": lambda faults, operation: faults.deliver_again(),
}
"""What the page may ask for, by its kind."""


class Stepper(View):
    """Walks through a trace: `Stepper(cloud.trace)`. The last line of a cell draws it; printing it tells the story as a list.

    `step`, `fault` and `prediction` say where the student is and what they chose. `Stepper.live` follows a cloud, and
    `Stepper.story` tells one of the lessons' stories.
    """

    mode = traitlets.Unicode().tag(sync=True)
    traces = traitlets.Dict().tag(sync=True)
    fault = traitlets.Unicode().tag(sync=True)
    step = traitlets.Int(0).tag(sync=True)
    prediction = traitlets.Unicode().tag(sync=True)
    fold = traitlets.Unicode().tag(sync=True)
    """Where there is a text: a line that opens the stepper when it is clicked. Until then nothing of it is drawn."""

    def __init__(
        self,
        trace: Trace | Mapping[str, Any] | str | os.PathLike[str] | None = None,
        *,
        language: str = "",
        **traits: Any,
    ) -> None:
        """`trace`: `cloud.trace`, the data of one, or a JSON file that holds them. `language`: the running cloud's, if any.

        Raises ViewError for what is no trace.
        """
        running = clouds.running()
        language = language or (running.edition if running else LANGUAGES[0])
        if "mode" not in traits:
            data = _data(language, trace)
            traits |= {"mode": data["mode"], "traces": {data["mode"]: data}, "fault": data["mode"]}
        self._cloud: Cloud | None = traits.pop("cloud", None)
        # Of this object alone: of the class, `story` is what makes one.
        self.add_traits(story=traitlets.Dict(allow_none=True, default_value=None).tag(sync=True))
        super().__init__(kind="stepper", language=language, **traits)

    @classmethod
    def live(cls, cloud: Cloud) -> Stepper:
        """Return a stepper that follows a cloud. From it faults can be planned, which then happen in that cloud."""
        return cls(language=cloud.edition, mode="session", source=CloudSource(cloud), cloud=cloud)

    @classmethod
    def story(cls, cloud: Cloud, name: str, *, handler: Handler | None = None) -> Stepper:
        """Return a stepper with a lesson's story, which is played on this cloud now, once for each fault to choose.

        "twice": an upload's way to the table; "crash": a stop between the write and the deletion. `handler`: what is to receive
        the messages, in place of the lesson's own; it finds the table's name in the environment variable TABLE_NAME. What is
        made for the story is removed again, and the cloud's trace does not tell of it; its time moves on by what is waited for.
        Raises ViewError for another name, and for a cloud whose time does not stand still.
        """
        story, traces = stories.play(cloud, name, handler)
        return cls(language=cloud.edition, mode="lesson", story=story, traces=traces, fault=next(iter(traces)))

    def _asked(self, widget: Any, content: Any, buffers: Any) -> None:
        super()._asked(widget, content, buffers)
        if isinstance(content, dict) and content.get("type") == "fault" and self._cloud is not None:
            self.send({"type": "said", "text": _plan(self._cloud, content.get("kind"), content.get("operation"))})

    def __repr__(self) -> str:
        traces = cast("dict[str, TraceData]", self.traces)
        if self._cloud is not None:
            traces = {self.mode: self._cloud.trace.data()}
        return summary.stepper(self.language, cast("Mapping[str, Any] | None", self.trait_values()["story"]), traces)


def _plan(cloud: Cloud, kind: object, operation: object) -> str:
    """Plan a fault that the page asks for, and return what is to be said of it."""
    if cloud.trace.has_ended:
        return cloud.say("This local cloud has ended: nothing happens in it any more.")
    if kind not in list(_FAULTS):
        return cloud.say("There is no fault '{got}'. There are: {known}.", got=kind, known=", ".join(_FAULTS))
    with cloud.lock:
        try:
            _FAULTS[str(kind)](cloud.faults, str(operation))
        except FaultError as error:
            return str(error)
    if kind == "deliver_again":
        return cloud.say("The fault is planned: SQS will deliver the next message once more.")
    return cloud.say("The fault is planned: it strikes the next call of {operation}.", operation=operation)


def _data(language: str, trace: object) -> TraceData:
    """Return a trace's data, from whatever it was given as."""
    if isinstance(trace, Trace):
        return trace.data()
    found = trace
    if isinstance(trace, str | os.PathLike):
        try:
            found = json.loads(Path(trace).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            reason = why(error) if isinstance(error, OSError) else error
            raise ViewError(
                translate(language, "{path} cannot be read as a trace: {why}", path=os.fspath(trace), why=reason)
            ) from None
    if isinstance(found, Mapping) and found.get("schema") == SCHEMA and isinstance(found.get("steps"), list):
        return cast("TraceData", dict(found))
    raise ViewError(
        translate(
            language,
            "Stepper() expects a trace: cloud.trace, its data, or a file of the form {schema}. It got {got}.",
            schema=SCHEMA,
            got=type(trace).__name__ if found is trace else os.fspath(cast("str", trace)),
        )
    )
