"""A check's result in a page: readable for everybody in light and dark, and its replay, which opens when it is asked to."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from bentocola.checks.result import Result
from bentocola.messages import translate
from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, shoot
from tests.browser.pages import Plain, accessibility
from tests.browser.traces import counterexample

pytestmark = NEEDS_CHROMIUM

Open = Callable[..., Plain]
THEMES = {"light": ("#fff", "#000000de"), "dark": ("#111", "#ffffffde")}
"""Background and text of JupyterLab's own themes."""


def results(language: str) -> list[Result]:
    """Return a result of each verdict."""
    happened = translate(language, "What happened: {observed}", observed="`put_item` × 2")
    advice = (translate(language, "Try now: {experiment}", experiment="…"),)
    made: list[Result] = []
    for earned, kind in ((2, "passed"), (1, "story"), (0, "story"), (0, "blank")):
        known: Any = kind
        made.append(
            Result("save_once", 2, earned, known, language, happened, ("S3 → SQS", "SQS → `f`"), advice, ("…",))
        )
    return made


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_result_can_be_read_by_everybody(open_page: Open, language: str, theme: str) -> None:
    """axe finds nothing in any verdict, in the colours of a light notebook and of a dark one."""
    page = open_page(language, fresh=True)
    background, text = THEMES[theme]
    report = "".join(result._repr_html_() for result in results(language))
    page.ask(
        """([report, background, text]) => {
            document.body.style.cssText = `background:${background};color:${text};font:14px sans-serif`;
            document.getElementById("place").innerHTML = report;
        }""",
        [report, background, text],
    )
    shoot(page.page, f"result-{language}-{theme}")

    assert page.find("#place ol li").count() == 6
    assert accessibility(page) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_replay_opens_when_it_is_clicked(open_page: Open, language: str) -> None:
    """Until then nothing of the stepper is drawn. It says what was observed, and names no rule where it has no words for one."""
    page = open_page(language, fresh=True)
    story, traces = counterexample(language)
    trace = {**traces["counterexample"], "verdict": {"rule": "story", "ok": False}}
    state = {
        "kind": "stepper",
        "language": language,
        "mode": "counterexample",
        "story": {**story, "rules": {}, "why": "two items"},
        "traces": {"counterexample": trace},
        "fault": "counterexample",
        "prediction": "",
        "step": 0,
        "feed": None,
        "fold": translate(language, "Walk through the story step by step"),
    }
    page.ask(
        """state => {
            const model = { get: (key) => state[key], set() {}, send() {}, on() {}, off() {}, save_changes() {} };
            document.getElementById("place").insertAdjacentHTML("beforebegin", "<h2>…</h2>");
            window.end = views.default.render({ model, el: document.getElementById("place") });
        }""",
        state,
    )
    summary = page.find("summary")
    expect(summary).to_have_text(state["fold"])
    assert page.find(".stepper").count() == 0
    assert accessibility(page) == []

    summary.focus()
    page.page.keyboard.press("Enter")
    expect(page.find(".stepper")).to_be_visible()
    expect(page.find(".broken")).to_contain_text("two items")
    assert page.find(".broken .rule").count() == 0
    assert accessibility(page) == []
    page.ask("end()")
    assert page.find("#place *").count() == 0
