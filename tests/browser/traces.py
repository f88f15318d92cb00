"""What the views are shown in these tests: the recorded pipeline, the lessons' stories as they are played, and many steps."""

from __future__ import annotations

import contextlib
import copy
import io
import json
import re
from functools import cache
from typing import Any

import boto3
import pytest

import bentocola
from bentocola.views import stories
from tests.views.record import RECORDED

__all__ = ["HOSTILE", "counterexample", "feed", "fold", "hostile", "many", "pipeline", "session", "told", "used"]

HOSTILE = "<img src=x onerror=document.body.dataset.ran=1>"


@cache
def _recorded(name: str) -> str:
    return (RECORDED / name).read_text(encoding="utf-8")


def pipeline(language: str) -> dict[str, Any]:
    """Return the recorded pipeline as a feed: built, used, and taken down."""
    return dict(json.loads(_recorded(f"pipeline.{language}.json")))


def session(language: str) -> dict[str, Any]:
    """Return the recorded pipeline as a whole trace."""
    return dict(json.loads(_recorded(f"trace.{language}.json")))


@cache
def _played(language: str, name: str) -> tuple[dict[str, Any], dict[str, Any]]:
    with pytest.MonkeyPatch.context() as patch, contextlib.redirect_stdout(io.StringIO()):
        patch.setattr(boto3, "DEFAULT_SESSION", None)
        cloud = bentocola.start(language)
        try:
            return stories.play(cloud, name)
        finally:
            cloud.stop()


def told(language: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return lesson 01's story and its trace for each fault."""
    return copy.deepcopy(_played(language, "twice"))


def counterexample(language: str) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return a story that breaks a rule: a write without a condition goes over what was stored."""
    story, traces = copy.deepcopy(_played(language, "crash"))
    trace = traces["die_unguarded"]
    writes = [step["n"] for step in trace["steps"] if step["kind"] == "write"]
    # The same item is written twice, so what is broken is made up; all else happened.
    path = next(tile["path"] for tile in story["tiles"] if tile["path"].startswith("item/"))
    verdict = {"rule": "counted_once", "ok": False, "path": f"{path}.total_cents", "expected": "550", "got": "1100"}
    trace |= {"mode": "counterexample", "predict": None, "fault": None}
    trace["verdict"] = verdict | {"blame": writes, "shrunk_from": 34}
    return {**story, "rules": {"counted_once": "…"}, "why": "…"}, {"counterexample": trace}


def used(whole: dict[str, Any]) -> int:
    """Return after how many steps of the recorded pipeline it begins to be taken down."""
    return next(int(step["n"]) for step in whole["steps"] if step.get("api") == "lambda:DeleteEventSourceMapping") - 1


def feed(whole: dict[str, Any], since: int, upto: int, **changes: Any) -> dict[str, Any]:
    """Return the part of a feed that follows step `since`, up to and with step `upto`."""
    steps = whole["steps"][since:upto]
    now = whole["steps"][upto - 1]["t"] if upto else 0
    part = {**whole, "steps": steps, "now_ms": now}
    if since:
        del part["initial"]
    return part | changes


def fold(whole: dict[str, Any], upto: int) -> dict[str, Any]:
    """Return the state after step `upto`, and check each old value on the way."""
    state: dict[str, Any] = dict(whole["initial"])
    for step in whole["steps"][:upto]:
        for path, old, new in step["set"]:
            assert state.get(path) == old
            state[path] = new
    return state


def hostile(value: Any) -> Any:
    """Return a feed or a trace whose names, keys, bodies and log lines are markup that would run if it were read as such."""
    text = json.dumps(value, ensure_ascii=False)
    for word in (
        "tienda",
        "lucia",
        "lucía",
        "marta",
        "received",
        "RESULT",
        "KeyError",
        "attribute_not_exists",
        "customer",
    ):
        text = text.replace(word, HOSTILE)
    return json.loads(text)


def many(language: str, orders: int) -> dict[str, Any]:
    """Return a feed in which the recorded pipeline saves one order after another: ten steps for each, after the first 17."""
    whole = pipeline(language)
    began, once = whole["steps"][:17], whole["steps"][17:27]
    assert [once[0]["kind"], once[-1]["kind"]] == ["call", "resource"]
    (item,) = {path for step in once for path, *_ in step["set"] if path.startswith("item/")}
    key, text = item.split("/", 2)[2], json.dumps(once, ensure_ascii=False)
    counted = {path: fold(whole, 17).get(path) for path in ("s3.objects", "ddb.items", "lambda.runs")}
    steps = list(began)
    for number in range(orders):
        again = text.replace(json.dumps(key, ensure_ascii=False), json.dumps(f"{key}.{number}", ensure_ascii=False))
        again = again.replace(item, f"{item}.{number}").replace('"r1"', f'"r{number + 1}"')
        again = re.sub(r'(?<=")m2(?=")|(?<="message/)m2(?=")', f"m{number + 2}", again)
        for step in json.loads(again):
            step["n"] += 10 * number
            step["t"] += 10 * number
            if "cause" in step:
                step["cause"] += 10 * number
            step["set"] = [
                [path, (counted[path] or 0) + number, (counted[path] or 0) + number + 1]
                if path in counted
                else [path, old, new]
                for path, old, new in step["set"]
                if not (number and path.startswith(("mapping/", "log_group/")))
            ]
            steps.append(step)
    return {**whole, "steps": steps, "now_ms": steps[-1]["t"], "story": "many"}
