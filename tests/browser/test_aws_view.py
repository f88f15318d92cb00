"""The AWS view alone on a plain page: it shows what the steps fold to, keeps what is gone, and finds its cloud again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, shoot
from tests.browser.pages import Plain, accessibility
from tests.browser.traces import HOSTILE, feed, fold, hostile, many, pipeline, used

pytestmark = NEEDS_CHROMIUM

Open = Callable[..., Plain]
WIDTHS = (320, 360, 700, 860, 1200)
LAB = {"name": "idempotent-consumer", "prefix": "lab05"}
BUILT = 17
"""So many steps of the recorded pipeline set it up."""
STEPS_PATH = "/_bentocola/steps"


def every(language: str) -> int:
    """Return how many steps the recorded pipeline has."""
    return len(pipeline(language)["steps"])


def drawn(page: Plain, steps: int) -> None:
    """Wait until the view shows the state after so many steps."""
    expect(page.find(".aws")).to_have_attribute("data-steps", str(steps))


def show(page: Plain, upto: int | None = None, **options: Any) -> dict[str, Any]:
    """Draw the view of the recorded pipeline after so many steps, or before it is taken down, and return the whole feed."""
    whole = {**pipeline(page.language), "live": True}
    upto = upto or used(whole)
    page.aws(feed=feed(whole, 0, upto), **options)
    drawn(page, upto)
    return whole


def unfold(page: Plain) -> None:
    """Have the messages that are over listed too."""
    page.find("[data-queue] [data-over][aria-expanded='false']").click()


# What it shows


def expected(whole: dict[str, Any], upto: int) -> dict[str, Any]:
    """Return what is to be shown after so many steps, from the steps alone."""
    state = {path: value for path, value in fold(whole, upto).items() if value is not None}
    steps = whole["steps"][:upto]

    def named(kind: str) -> dict[str, Any]:
        return {path.split("/", 1)[1]: value for path, value in state.items() if path.startswith(f"{kind}/")}

    began = {m: s["name"] for s in steps if s["kind"] == "message" for m in [s["ids"]["msg"]]}
    queues = {}
    for name, queue in named("queue").items():
        if any(f"queue/{source}" in state for source in queue["sources"]):
            continue
        dead = queue["dead_letter_queue"]
        source = {
            m: began[m] if f"queue/{began[m]}" in state else held["queue"] for m, held in named("message").items()
        }
        its = {m: held for m, held in named("message").items() if source[m] in (name, dead)}
        waiting = [(held["queue"], held["state"]) for held in its.values()]
        counts = {each: waiting.count((name, each)) for each in ("visible", "in_flight", "delayed")}
        if dead:
            counts["dead"] = sum(waiting.count((dead, each)) for each in ("visible", "in_flight", "delayed"))
        if not counts["delayed"]:
            del counts["delayed"]
        messages = {m: held["state"] for m, held in its.items()}
        over = [m for m, held in messages.items() if held in ("deleted", "expired")]
        if len(over) > 2:  # they are one row
            messages = {m: held for m, held in messages.items() if m not in over}
        queues[name] = {"counts": counts, "messages": messages, "over": len(over) if len(over) > 2 else 0}
    ended = {s["run"]["id"]: s["run"]["result"] for s in steps if s["kind"] == "run_end"}
    runs = [s["ids"]["run"] for s in steps if s["kind"] == "run_start"]
    writes = [s for s in steps if s["kind"] == "write"]
    gone = [
        (path.partition("/")[0], path.partition("/")[2], old)
        for s in steps
        for path, old, new in s["set"]
        if new is None and path.partition("/")[0] in ("queue", "mapping", "table", "log_group")
    ]
    return {
        "queues": queues,
        "mappings": [mapping["state"] for mapping in named("mapping").values()],
        "tables": {
            name: [key.split("/", 1)[1] for key in named("item") if key.startswith(f"{name}/")]
            for name in named("table")
        },
        "runs": [[run, ended.get(run, "running")] for run in reversed(runs)],
        "decisions": [
            [s["n"], s["decision"]["result"], f"table/{s['decision']['table']}" not in state] for s in reversed(writes)
        ],
        "gone": [
            f"{kind}/{old['queue']} → {old['function']}" if kind == "mapping" else f"{kind}/{name}"
            for kind, name, old in reversed(gone)
        ],
    }


def shows_the_fold(page: Plain, whole: dict[str, Any], *, shown: dict[str, Any] | None = None) -> None:
    """Assert that after each step the view shows what the steps so far fold to. `shown`: what it is given in place of that."""
    page.aws(feed=feed(whole, 0, 1))
    drawn(page, 1)
    feeds = [feed(shown or whole, n - 1, n) for n in range(2, len(whole["steps"]) + 1)]
    seen = page.ask("feeds => measure.fed(view, feeds)", feeds)
    for n, what in enumerate(seen, 2):
        assert what == expected(whole, n), n


def test_what_is_shown_is_the_fold_of_the_steps(open_page: Open) -> None:
    """After each step: counters are the rows, newest first, and what was deleted is history."""
    shows_the_fold(open_page("es"), pipeline("es"))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_run_and_a_decision_tell_all_about_them(open_page: Open, language: str) -> None:
    """A run with its log, duration and refusals; a decision with condition, error, before and after, and what changed marked."""
    page = open_page(language)
    whole = show(page)
    steps = {s["n"]: s for s in whole["steps"]}
    refused = next(s for s in whole["steps"] if s.get("decision", {}).get("result") == "refused")
    card = page.find(f"[data-decision='{refused['n']}']")
    for told in (refused["decision"]["condition"], refused["decision"]["error"], refused["ids"]["run"]):
        expect(card).to_contain_text(told)
    sides = [side.split("\n", 1)[1] for side in card.locator(".side").all_inner_texts()]
    assert sides[0] == sides[1]
    assert card.locator("mark").count() == 0

    (update,) = (n for n, s in steps.items() if s.get("decision", {}).get("op") == "UpdateItem")
    expect(page.find(f"[data-decision='{update}'] mark")).to_have_count(2)
    expect(page.find(f"[data-decision='{update}'] mark").last).to_contain_text('"sent"')

    run = page.find(f"[data-run='{refused['ids']['run']}']")
    expect(run).to_contain_text("13 ms" if language == "es" else "13")
    assert run.locator("pre").count() == 0  # only the latest two are open
    run.locator(".fold").click()
    log = next(s["run"]["log"] for s in whole["steps"] if s.get("run", {}).get("id") == refused["ids"]["run"])
    expect(run.locator("pre")).to_have_text("\n".join(line.rstrip("\n") for line in log), use_inner_text=False)
    unfold(page)
    again = next(s["ids"]["msg"] for s in whole["steps"] if s["kind"] == "deliver" and s["ids"]["delivery"] == 2)
    expect(page.find(f"[data-message='{again}'] .tag")).to_have_count(1)


def test_a_dead_letter_stands_with_its_source(open_page: Open) -> None:
    """It is told by shape and word, and its queue has no section of its own while the source is there."""
    page = open_page("ja")
    whole = show(page)
    dead = next(s for s in whole["steps"] if s["kind"] == "dead")
    assert page.find("[data-queue]").count() == 1
    row = page.find(f"[data-message='{dead['ids']['msg']}']")
    expect(row).to_contain_text("DLQ")
    expect(page.find("[data-count='dead'] dd")).to_have_text("1")


@pytest.mark.parametrize("language", LANGUAGES)
def test_history_survives_what_it_is_about(open_page: Open, language: str) -> None:
    """Queue, mapping, table and log group leave the lists of what is there; decisions, runs and messages stay, as history."""
    page = open_page(language)
    whole = show(page, every(language))
    assert page.find("[data-table]").count() == 0
    assert page.find("[data-decision][data-gone]").count() == sum(s["kind"] == "write" for s in whole["steps"])
    style = "getComputedStyle(measure.all('[data-decision] .decision.gone')[0]).backgroundImage"
    assert "repeating-linear-gradient" in page.ask(style)
    gone = page.find("[data-gone-resource^='queue/'] button").first
    gone.click()
    expect(page.find("[data-gone-resource] [data-message]")).to_have_count(5 if language == "es" else 4)
    shoot(page.page, f"aws-gone-{language}", whole=True)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_row_leads_to_the_others_it_is_tied_to(open_page: Open, language: str) -> None:
    """A chosen row marks its ties, offers them as links that take the focus there, and opens the stepper on its own steps."""
    page = open_page(language)
    whole = show(page)
    write = next(s for s in whole["steps"] if s.get("decision", {}).get("result") == "refused")
    run, n = write["ids"]["run"], write["n"]
    message = next(s["ids"]["msg"] for s in whole["steps"] if s["kind"] == "run_start" and s["ids"]["run"] == run)
    item = f"item/{write['decision']['table']}/{write['decision']['key']}"

    unfold(page)
    page.find(f"[data-message='{message}'] [data-primary]").click()
    expect(page.find(".marked")).to_have_count(3)
    marked = page.ask("measure.all('.marked').map((row) => row.dataset.row)")
    assert set(marked) == {run, f"d{n}", item}
    shoot(page.page, f"aws-chosen-{language}", whole=True)

    page.find(f"[data-ties='{message}'] [data-goto='{run}']").click()
    row = "measure.focused()?.closest('[data-row]')?.dataset.row"
    page.page.wait_for_function(f"{row} === '{run}'")
    expect(page.find(f"[data-run='{run}'] [data-primary]")).to_have_attribute("aria-expanded", "true")

    page.find(f"[data-decision='{n}'] button[data-stepper]").click()
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", str(n))
    assert "back" in page.focus
    listed = page.ask("measure.all('.row').map((row) => Number(row.dataset.n))")
    assert {write["n"], write["cause"] if "cause" in write else write["n"]} <= set(listed)
    assert len(listed) < 20
    shoot(page.page, f"aws-stepper-{language}", whole=True)
    page.find("[data-back]").click()
    page.page.wait_for_function(f"{row} === 'd{n}'")


def test_one_row_alone_is_shown_with_its_ties(open_page: Open) -> None:
    """The filter leaves a message, its runs, their decisions and items; all else comes back with it taken away."""
    page = open_page("es")
    show(page)
    unfold(page)
    every = page.ask("measure.all('[data-row]').map((row) => row.dataset.row)")
    page.find("[data-filter]").select_option("m5")
    expect(page.find("[data-message]")).to_have_count(1)
    assert set(page.ask("measure.all('[data-row]').map((row) => row.dataset.row)")) == {"m5", "r4", "r5"}
    page.find("[data-filter]").select_option("")
    expect(page.find("[data-message]")).to_have_count(6)
    assert page.ask("measure.all('[data-row]').map((row) => row.dataset.row)") == every


def test_a_paused_view_waits_and_goes_on(open_page: Open) -> None:
    """Nothing moves while it is paused; how many changes wait is said; and none is lost."""
    page = open_page("es")
    whole = show(page, 26)
    page.find("[data-pause]").click()
    expect(page.find(".aws")).to_have_attribute("data-state", "paused")
    before = page.ask("measure.shownByAws()")
    page.apply(feed(whole, 26, 36))
    expect(page.find("[data-waits]")).to_have_attribute("data-waits", "10")
    page.apply(feed(whole, 36, 37))
    expect(page.find("[data-waits]")).to_have_attribute("data-waits", "11")
    assert page.ask("measure.shownByAws()") == before
    page.find("[data-pause]").click()
    drawn(page, 37)
    assert page.ask("measure.shownByAws()") == expected(whole, 37)
    expect(page.find("[data-waits]")).to_have_count(0)


def test_steps_that_are_missing_are_asked_for(open_page: Open) -> None:
    """A gap is never drawn over: the view asks for what follows its last step, and passes over what it has already."""
    page = open_page("es")
    whole = show(page, 20)
    page.apply(feed(whole, 25, 30))
    assert page.ask("changes") == [["recorded", 20]]
    drawn(page, 20)
    page.apply(feed(whole, 10, 30))
    drawn(page, 30)
    assert page.ask("measure.shownByAws()") == expected(whole, 30)


class Cloud:
    """Stands where a served cloud would: it answers the page's long poll, or does not answer at all."""

    def __init__(self, page: Plain) -> None:
        self.is_there = True
        self.asked: list[tuple[str, int]] = []
        self._next: dict[str, Any] | None = None
        self._waiting: Route | None = None
        page.answers[STEPS_PATH] = self._answer

    def _answer(self, route: Route) -> None:
        asked = {name: values[0] for name, values in parse_qs(urlsplit(route.request.url).query).items()}
        self.asked.append((asked.get("story", ""), int(asked["since"])))
        if not self.is_there:
            route.abort("connectionrefused")
        else:
            self._waiting = route
            self._tell()

    def tell(self, feed: dict[str, Any]) -> None:
        """Answer what is asked now, or what is asked next."""
        self._next = feed
        self._tell()

    def _tell(self) -> None:
        if self._next is not None and self._waiting is not None:
            self._waiting.fulfill(json=self._next)
            self._next = self._waiting = None

    def go(self) -> None:
        """End in the middle of an answer."""
        self.is_there = False
        if self._waiting is not None:
            self._waiting.abort("connectionreset")
            self._waiting = None


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_lost_cloud_is_found_again(open_page: Open, language: str) -> None:
    """What was there stays, marked as such; the same story goes on where it stopped; another one begins, and it is said."""
    page = open_page(language, fresh=True)
    cloud = Cloud(page)
    whole = {**pipeline(language), "live": True}
    page.aws(url="", lab=LAB)
    cloud.tell(feed(whole, 0, 26))
    drawn(page, 26)
    expect(page.find(".aws")).to_have_attribute("data-state", "live")
    cloud.tell(feed(whole, 26, 36))
    drawn(page, 36)

    cloud.go()
    expect(page.find("[data-notice='disconnected'][role='alert']")).to_contain_text("bentocola lab start")
    assert page.ask("measure.shownByAws()") == expected(whole, 36)
    shoot(page.page, f"aws-lost-{language}", whole=True)
    assert accessibility(page) == []

    cloud.is_there = True
    page.find("[data-retry]").click()
    cloud.tell(feed(whole, 36, 45))
    drawn(page, 45)
    expect(page.find("[data-notice='disconnected']")).to_have_count(0)
    assert cloud.asked[-1] in {("recorded", 36), ("recorded", 45)}

    cloud.go()
    expect(page.find(".aws")).to_have_attribute("data-state", "disconnected")
    cloud.is_there = True
    cloud.tell({**feed(whole, 0, 20), "story": "another"})
    drawn(page, 20)
    expect(page.find("[data-notice='restarted']")).to_have_count(1)
    assert page.ask("measure.shownByAws()") == expected(whole, 20)
    assert all("net::ERR_CONNECTION" in error for error in page.errors)
    page.errors.clear()


def test_a_message_in_flight_counts_down_on_the_courses_clock(open_page: Open) -> None:
    """Live, «returns in» goes down by itself; on a cloud whose time stands still it does not."""
    page = open_page("es", fresh=True)
    page.page.clock.install()
    whole = pipeline("es")
    left = "Number(measure.all(`[data-message='m2'] .until`)[0].dataset.seconds)"
    for is_live, after in ((True, 23), (False, 30)):
        page.ask(
            "([feed, language]) => { window.view = views.mountAws(document.getElementById('place'),"
            " { language, ask() {} }); view.apply(feed); }",
            [{**feed(whole, 0, 21), "live": is_live}, "es"],
        )
        page.page.clock.run_for(500)
        assert page.ask(left) == 30
        page.page.clock.run_for(7_000)
        assert page.ask(left) == after
        page.ask("view.destroy()")


# Many events


def test_of_ten_thousand_events_only_the_rows_in_sight_are_drawn(open_page: Open) -> None:
    """The number of elements does not grow with the number of rows, and each step is folded once, whatever comes later."""
    page = open_page("es", fresh=True)
    whole = {**many("es", 1000), "live": True}
    page.aws(feed=feed(whole, 0, BUILT))
    drawn(page, BUILT)
    page.answers["/nine-thousand"] = lambda route: route.fulfill(json=feed(whole, BUILT, 9_017))
    page.ask("fetch('/nine-thousand').then(async (said) => view.apply(measure.countReads(await said.json())))")
    drawn(page, 9_017)
    elements = page.ask("measure.all('.bc *').length")
    assert page.ask("Number(measure.all(`[data-section='decisions']`)[0].dataset.total)") == 900
    assert {
        name: len(rows) for name, rows in page.ask("measure.shownByAws()").items() if name in ("runs", "decisions")
    } != {
        "runs": 900,
        "decisions": 900,
    }
    assert page.find("[data-row]").count() < 160
    reads = page.ask("({ ...reads })")

    page.apply(feed(whole, 9_017, 10_017))
    drawn(page, 10_017)
    assert page.ask("measure.all('.bc *').length") < 1.2 * elements
    assert page.find("[data-row]").count() < 160
    assert page.ask("reads") == reads
    assert max(reads.values()) <= 3  # for the state, for the rows, for what is spoken

    page.find("[data-list='decisions']").evaluate("list => { list.scrollTop = list.scrollHeight; }")
    expect(page.find("[data-decision='24']")).to_be_visible()
    unfold(page)
    page.find("[data-message='m1001'] [data-primary]").focus()
    page.page.keyboard.press("End")
    page.page.wait_for_function("measure.focused()?.closest('[data-row]')?.dataset.row === 'm1'")
    assert page.find("[data-row]").count() < 160
    assert accessibility(page) == []


# How it is used


@pytest.mark.parametrize("way", ["focus", "scrolled"])
def test_rows_never_shift_under_the_reader(open_page: Open, way: str) -> None:
    """The row that has the focus, and the rows of a list that somebody scrolled, stay on the screen while others come above."""
    page = open_page("es", fresh=True, width=500 if way == "focus" else 1200)
    whole = show(page, 53)
    row = page.find("[data-run='r2']")
    row.scroll_into_view_if_needed()
    if way == "focus":
        row.locator("[data-primary]").focus()
    else:
        page.page.set_viewport_size({"width": 1200, "height": 500})
        page.ask("measure.all(`[data-list='runs']`)[0].style.maxHeight = '150px'; measure.drawn()")
        row.locator(".line").hover()
        page.page.mouse.wheel(0, 40)
        page.page.wait_for_function("measure.all(`[data-list='runs']`)[0].scrollTop > 0")
    page.ask("measure.drawn()")
    top = "measure.all(`[data-run='r2']`)[0].getBoundingClientRect().top"
    before = page.ask(top)
    for n in range(53, used(whole), 3):
        page.apply(feed(whole, n, n + 3))
        drawn(page, n + 3)
        page.ask("measure.drawn()")
        assert abs(page.ask(top) - before) < 2
    if way == "focus":
        assert page.ask("measure.focused().closest('[data-row]').dataset.row") == "r2"


SCROLLS = "Object.fromEntries(measure.all('.aws .scroll').map((list) => [list.dataset.list, list.scrollTop]))"


@pytest.mark.parametrize("pointer", [False, True])
def test_a_list_at_its_top_stays_there(open_page: Open, pointer: bool) -> None:
    """What is new comes into sight, also where the page is scrolled and a pointer rests on a row."""
    page = open_page("es", fresh=True)
    whole = {**many("es", 30), "live": True}
    page.aws(feed=feed(whole, 0, 217))
    drawn(page, 217)
    page.page.set_viewport_size({"width": 1200, "height": 500})
    page.ask("measure.all(`[data-section='runs']`)[0].scrollIntoView(); measure.drawn()")
    if pointer:
        box = page.find("[data-run='r20']").bounding_box() or {}
        page.page.mouse.move(box["x"] + 200, box["y"] + 15)
    scrolled = page.ask("scrollY")
    for n in range(217, 267, 10):
        page.apply(feed(whole, n, n + 10))
        drawn(page, n + 10)
        page.ask("measure.drawn()")
    assert set(page.ask(SCROLLS).values()) == {0}
    assert abs(page.ask("scrollY") - scrolled) < 2
    assert page.ask("measure.all('[data-run]')[0].dataset.run") == "r25"
    assert page.find("[data-news]").count() == 0


def test_who_reads_further_down_keeps_their_place_and_is_told_of_what_is_new(open_page: Open) -> None:
    """A button at the list's top says how many rows came, and leads to them."""
    page = open_page("es", fresh=True)
    whole = {**many("es", 30), "live": True}
    page.aws(feed=feed(whole, 0, 217))
    drawn(page, 217)
    page.find("[data-list='decisions']").evaluate("list => { list.scrollTop = 400; }")
    page.ask("measure.drawn()")
    first = "measure.all(`[data-decision='124']`)[0].getBoundingClientRect().top"
    place = page.ask(first)
    page.apply(feed(whole, 217, 237))
    drawn(page, 237)
    page.ask("measure.drawn()")
    assert abs(page.ask(first) - place) < 2
    news = page.find("[data-news]")
    expect(news).to_have_attribute("data-news", "2")
    shoot(page.page, "aws-news-es")
    assert accessibility(page) == []
    news.click()
    page.page.wait_for_function("measure.all(`[data-list='decisions']`)[0].scrollTop === 0")
    expect(news).to_have_count(0)
    assert page.ask("measure.focused()?.closest('[data-row]')?.dataset.row") == "d234"


def test_all_stands_as_before_when_somebody_comes_back_from_the_stepper(open_page: Open) -> None:
    """Lists at their top are there still, with what came meanwhile; a scrolled list, and the page, show the same rows."""
    page = open_page("es", fresh=True)
    whole = {**many("es", 30), "live": True}
    page.aws(feed=feed(whole, 0, 217))
    drawn(page, 217)
    page.find("[data-list='decisions']").evaluate("list => { list.scrollTop = 400; }")
    page.ask("scrollTo(0, 120); measure.drawn()")
    row = page.find("[data-decision='174']")
    row.locator("button[data-stepper]").scroll_into_view_if_needed()
    scrolled = page.ask("scrollY")
    row.locator("button[data-stepper]").click()
    expect(page.find("[aria-current='step']")).to_have_count(1)
    top = "measure.all(`[data-decision='174']`)[0].getBoundingClientRect().top"
    page.find("[data-back]").click()
    expect(page.find("[data-back]")).to_have_count(0)
    before = page.ask(top)
    assert page.ask("scrollY") == scrolled
    row.locator("button[data-stepper]").click()
    for n in range(217, 257, 10):
        page.apply(feed(whole, n, n + 10))
        drawn(page, n + 10)
    page.find("[data-back]").click()
    expect(page.find("[data-back]")).to_have_count(0)
    page.ask("measure.drawn()")
    scrolls = page.ask(SCROLLS)
    assert {scrolls["runs"], scrolls["items/tienda-tabla"]} == {0}
    assert scrolls["decisions"] > 400
    assert abs(page.ask(top) - before) < 2
    expect(page.find("[data-news]")).to_have_attribute("data-news", "4")


def test_the_stepper_in_the_view_waits_for_its_reader(open_page: Open) -> None:
    """What comes while it is open changes nothing in it; new steps of the row are told, and shown when they are asked for."""
    page = open_page("es", fresh=True)
    whole = show(page, 53)
    message = next(s["ids"]["msg"] for s in whole["steps"][:53] if s["kind"] == "message" and s["n"] > 40)
    page.find(f"[data-message='{message}'] [data-primary]").click()
    page.find(f"[data-ties='{message}'] [data-stepper]").click()
    expect(page.find("[aria-current='step']")).to_have_count(1)
    page.do("last").click()
    rows = page.ask("measure.all('.row').map((row) => row.dataset.n)")
    place = page.find("output").inner_text()
    assert place.startswith(f"Paso {len(rows) - 1} de {len(rows) - 1} ")
    assert page.ask("(({ value, max }) => value === max)(measure.all(`input[type='range']`)[0])")
    for n in range(53, used(whole)):
        page.apply(feed(whole, n, n + 1))
    drawn(page, used(whole))
    assert page.ask("measure.all('.row').map((row) => row.dataset.n)") == rows
    assert page.find("output").inner_text() == place
    fresh = page.find("[data-fresh]")
    count = int(fresh.get_attribute("data-fresh") or 0)
    assert count > 0
    assert accessibility(page) == []
    current = page.find("[aria-current='step']").get_attribute("data-n") or ""
    fresh.click()
    expect(page.find(".row")).to_have_count(len(rows) + count)
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", current)
    expect(fresh).to_have_count(0)


IN_SIGHT = """() => {
    const [row] = measure.all("[aria-current='step']");
    const { top, bottom, left } = row.getBoundingClientRect();
    const found = row.getRootNode().elementFromPoint(left + 60, (top + bottom) / 2);
    return bottom <= innerHeight && found?.closest(".row") === row;
}"""


@pytest.mark.parametrize("height", [400, 650, 800])
def test_the_stepper_in_the_view_opens_with_its_row_in_sight(open_page: Open, height: int) -> None:
    """At the row's own step, far down in its list, also in a low panel beside a terminal."""
    page = open_page("es", fresh=True)
    page.page.set_viewport_size({"width": 1200, "height": height})
    show(page, lab=LAB)
    page.find("[data-decision='34'] button[data-stepper]").click()

    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", "34")
    assert page.ask(IN_SIGHT)


@pytest.mark.parametrize("height", [650, 800])
def test_the_steppers_current_row_is_in_sight_in_the_view_too(open_page: Open, height: int) -> None:
    """Each that is gone to, among all that happened."""
    page = open_page("es", fresh=True)
    page.page.set_viewport_size({"width": 1200, "height": height})
    show(page, lab=LAB)
    page.find("[data-decision='34'] button[data-stepper]").click()
    page.do("fold").click()
    assert page.ask(IN_SIGHT)
    for direction, times in (("next", 30), ("previous", 50)):
        seen = page.ask(
            "([direction, times, look]) => measure.pressed(`[data-do='${direction}']`, times, eval(look))",
            [direction, times, IN_SIGHT],
        )
        assert all(seen), direction


def test_a_saved_state_shows_all_of_it_in_whatever_order_it_stands(open_page: Open) -> None:
    """A notebook and an export keep their paths in the alphabet's order: items before their tables, m10 before m2."""
    page = open_page("es")
    whole = pipeline("es")
    state = {path: value for path, value in fold(whole, used(whole)).items() if value is not None}
    held = next(value for path, value in state.items() if path.startswith("message/"))
    (queue,) = [path for path, value in state.items() if path.startswith("queue/") and not value["sources"]]
    state |= {f"message/m{n}": {**held, "state": "visible", "queue": queue.partition("/")[2]} for n in (2, 9, 10)}
    kept = [path.split("/", 2)[2] for path in state if path.startswith("item/")]
    page.aws(feed={**feed(whole, 0, 0), "initial": dict(sorted(state.items()))})
    assert sorted(page.ask("measure.all('[data-item]').map((row) => row.dataset.item)")) == sorted(kept) != []
    rows = page.ask("measure.all('[data-message]').map((row) => row.dataset.message)")
    assert [m for m in rows if m in ("m2", "m9", "m10")] == ["m10", "m9", "m2"]


def test_messages_that_are_over_are_one_row(open_page: Open) -> None:
    """They open and close; one that is chosen, or led to, is listed all the same; two of them stand with the others."""
    page = open_page("es")
    show(page)
    rows = page.find("[data-queue] [data-message]")
    expect(rows).to_have_count(1)
    fold_of = page.find("[data-queue] [data-over]")
    expect(fold_of).to_have_text("5 borrados")
    page.find("[data-run='r2'] [data-goto='m3']").click()
    expect(page.find("[data-message='m3']")).to_have_count(1)
    assert page.ask("measure.focused()?.closest('[data-row]')?.dataset.row") == "m3"
    fold_of.click()
    expect(rows).to_have_count(6)
    fold_of.click()
    expect(rows).to_have_count(2)
    show(page, 30)
    assert page.find("[data-over]").count() == 0


def test_what_tells_messages_apart_is_in_sight(open_page: Open) -> None:
    """Contents that begin alike show where they differ: their common beginning is cut."""
    page = open_page("es")
    whole = pipeline("es")
    state = {path: value for path, value in fold(whole, BUILT).items() if value is not None}
    (queue,) = [path for path, value in state.items() if path.startswith("queue/") and not value["sources"]]
    message = {"queue": queue.partition("/")[2], "state": "visible", "deliveries": 0, "until": None}
    labels = [f'{{"id": "ded1c2b4-5e6f", "sku": "bento-9", "quantity": {n}}}' for n in (4, 5)]
    state |= {f"message/m{n}": {**message, "label": label} for n, label in enumerate(labels, 1)}
    page.aws(feed={**feed(whole, 0, 0), "initial": state})
    shown = page.find("[data-message] .label").all_inner_texts()
    assert shown == ['…"quantity": 5}', '…"quantity": 4}']
    assert page.find("[data-message='m1'] .label").get_attribute("title") == labels[0]


def test_a_long_log_line_is_cut_until_it_is_asked_for(open_page: Open) -> None:
    """What follows it is in sight; the button shows the line whole and cuts it again."""
    page = open_page("es")
    whole = json.loads(json.dumps({**pipeline("es"), "live": True}))
    (end,) = [s for s in whole["steps"] if s.get("run", {}).get("id") == "r6" and s["kind"] == "run_end"]
    end["run"]["log"].insert(1, "EVENT " + json.dumps({"Records": ["x" * 80] * 20}))
    page.aws(feed=feed(whole, 0, used(whole)))
    drawn(page, used(whole))
    log = page.find("[data-run='r6'] pre")
    low = (log.bounding_box() or {})["height"]
    assert low < 200
    assert page.ask("measure.misfits()") == []
    button = page.find("[data-run='r6'] [data-whole]")
    button.click()
    expect(button).to_have_attribute("aria-expanded", "true")
    assert (log.bounding_box() or {})["height"] > low + 100
    button.click()
    expect(button).to_have_attribute("aria-expanded", "false")
    assert page.find("[data-run='r5'] [data-whole]").count() == 0


@pytest.mark.parametrize("width", [500, 1200])
def test_how_the_view_stands_is_in_sight_wherever_one_is(open_page: Open, width: int) -> None:
    """The bar with the state stays at the top of the window."""
    page = open_page("es", width=width)
    show(page, lab=LAB)
    page.ask("view.connect('lost')")
    expect(page.find(".aws")).to_have_attribute("data-state", "disconnected")
    page.ask("scrollTo(0, 500); measure.drawn()")
    top, bottom = page.ask(
        "(({ top, bottom }) => [top, bottom])(measure.all('[data-shown]')[0].getBoundingClientRect())"
    )
    assert 0 <= top < bottom < 100


def test_the_command_that_starts_a_lab_again_is_its_own(open_page: Open) -> None:
    """A lab that lives elsewhere says how it is started there."""
    page = open_page("es")
    for lab, command in (
        (LAB, "bentocola lab start idempotent-consumer"),
        ({**LAB, "again": "bentocola lab start idempotent-consumer --folder otra"}, "--folder otra"),
    ):
        show(page, 30, lab=lab)
        page.ask("view.connect('lost')")
        # A view that is fed by a kernel says how its notebook goes on; one that follows a served cloud gives the command.
        expect(page.find("[data-notice='disconnected']")).to_have_count(1)
        cloud = Cloud(page)
        page.aws(url="", lab=lab)
        cloud.tell(feed({**pipeline("es"), "live": True}, 0, 20))
        drawn(page, 20)
        cloud.go()
        expect(page.find("[data-notice='disconnected'] code")).to_contain_text(command)
        page.errors.clear()


@pytest.mark.parametrize("way", ["dismissed", "goes on"])
def test_that_the_cloud_began_anew_is_said_until_somebody_knows(open_page: Open, way: str) -> None:
    """The notice goes when it is dismissed, or when the student does something there."""
    page = open_page("es")
    whole = show(page, 20)
    page.apply({**feed(whole, 0, 18), "story": "another"})
    notice = page.find("[data-notice='restarted']")
    expect(notice).to_have_count(1)
    if way == "dismissed":
        page.find("[data-understood]").click()
    else:
        page.apply({**feed(whole, 18, 30), "story": "another"})
        drawn(page, 30)
    expect(notice).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "lab", "word"),
    [("es", LAB, "desde tu terminal"), ("ja", LAB, "ターミナルから"), ("es", None, "desde tu código")],
)
def test_who_wrote_without_a_function_is_named(
    open_page: Open, language: str, lab: dict[str, str] | None, word: str
) -> None:
    """In a lab what no function did was typed in the terminal, in the view and in its stepper."""
    page = open_page(language)
    whole = show(page, lab=lab)
    write = next(s for s in whole["steps"] if s.get("decision", {}).get("op") == "DeleteItem")
    card = page.find(f"[data-decision='{write['n']}']")
    expect(card.locator(".by")).to_contain_text(word)
    card.locator("button[data-stepper]").click()
    name = {"es": "Tu terminal" if lab else "Tu código", "ja": "ターミナル"}[language]
    expect(page.find(".told")).to_contain_text(name)


def test_a_list_is_one_tab_stop_that_arrows_move(open_page: Open) -> None:
    """Of a list's rows one is reached by Tab; arrows, Home and End go to the others."""
    page = open_page("es")
    show(page)
    press = page.page.keyboard.press
    row = "measure.focused()?.closest('[data-row]')?.dataset.row"
    page.find("[data-run] [data-primary][tabindex='0']").focus()
    for key, run in [("ArrowDown", "r5"), ("ArrowDown", "r4"), ("ArrowUp", "r5"), ("End", "r1"), ("Home", "r6")]:
        press(key)
        page.page.wait_for_function(f"{row} === '{run}'")
        assert page.find("[data-list='runs'] [data-primary][tabindex='0']").count() == 1
    press("Enter")
    expect(page.find("[data-run='r6'] [data-primary]")).to_have_attribute("aria-expanded", "true")


def keeps_keys(page: Plain) -> None:
    """Assert that plain keys stay in the view, and that what the page or the browser needs goes through."""
    show(page)
    page.ask("measure.overhear()")
    rows = [f"[data-{row}] [data-primary][tabindex='0']" for row in ("run", "decision", "message", "item")]
    for control in ["[data-pause]", *rows]:
        page.find(control).first.focus()
        for key in [*"abdmxy1", "ArrowDown", "Delete"]:
            page.page.keyboard.press(key)
    assert page.ask("keys") == []
    for key in ("Control+s", "Shift+Enter", "Escape"):
        page.page.keyboard.press(key)
    assert [key for key in page.ask("keys") if key not in ("Control", "Shift")] == ["s", "Enter", "Escape"]


def test_plain_keys_never_reach_the_page(open_page: Open) -> None:
    """JupyterLab would add, cut or run cells. Ctrl+S, Shift+Enter and Escape do reach it."""
    keeps_keys(open_page("es", fresh=True))


def speaks(page: Plain) -> None:
    """Assert that changes are spoken: a few in sentences, many as their number and the last one, and how the view stands."""
    whole = show(page, 20)
    status = page.find(".aws > [role='status']")
    page.ask("measure.listen()")
    page.apply(feed(whole, 20, 22))
    expect(status).to_contain_text("m2", timeout=4_000)
    expect(status).to_contain_text("r1", timeout=4_000)
    page.apply(feed(whole, 22, used(whole)))
    expect(status).to_contain_text("marta#7", timeout=4_000)
    page.find("[data-pause]").click()
    expect(page.find(".aws")).to_have_attribute("data-state", "paused")
    state = page.find("[data-shown]").inner_text().strip()
    expect(status).to_contain_text(state, timeout=4_000)
    assert len(page.ask("said")) <= 6
    assert status.get_attribute("aria-live") == "polite"


@pytest.mark.parametrize("language", LANGUAGES)
def test_changes_are_spoken_together(open_page: Open, language: str) -> None:
    """One status line says what changed; of many changes how many, and the last one."""
    page = open_page(language)
    speaks(page) if language == "es" else show(page)
    if language == "ja":
        whole = pipeline("ja")
        page.apply(feed({**whole, "live": True}, used(whole), every("ja")))
        expect(page.find(".aws > [role='status']")).not_to_be_empty()


# That everybody can use it


def stays_text(page: Plain) -> None:
    """Assert that markup in names, keys, bodies and log lines is shown as it was written."""
    whole = hostile({**pipeline(page.language), "live": True})
    page.aws(feed=feed(whole, 0, used(whole)), lab={"name": HOSTILE, "prefix": HOSTILE})
    drawn(page, used(whole))
    assert page.ask("measure.markup()") == []
    page.find("[data-message] [data-primary]").first.click()
    shown = page.ask("measure.all('.aws')[0].innerText")
    assert shown.count(HOSTILE) > 20
    page.find("button[data-stepper]").last.click()
    expect(page.find("[aria-current='step']")).to_have_count(1)
    assert page.ask("measure.markup()") == []
    page.aws(feed=feed(whole, 0, every(page.language)))
    drawn(page, every(page.language))
    assert page.ask("measure.markup()") == []
    assert page.ask("document.body.dataset.ran") is None


def test_hostile_text_stays_text(open_page: Open) -> None:
    """What comes from a student's code is never read as markup."""
    stays_text(open_page("ja"))


def test_the_pages_style_sheet_stays_out(open_page: Open) -> None:
    """JupyterLab's own rules for lists and headings do not reach the view."""
    page = open_page("es", fresh=True)
    show(page)
    page.page.add_style_tag(content="dl, dt, dd, h2, h3, h4, button, pre, p, ul, li { float: left !important; }")
    assert page.ask("getComputedStyle(measure.all('dt')[0]).float") == "none"


def states(page: Plain) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Give each state that the view can be in, and what draws it."""
    whole = {**pipeline(page.language), "live": True}

    def chosen() -> None:
        show(page)
        unfold(page)
        page.find("[data-message='m3'] [data-primary]").click()
        expect(page.find(".marked")).to_have_count(3)

    def paused() -> None:
        show(page, 40)
        page.find("[data-pause]").click()
        page.apply(feed(whole, 40, 45))
        expect(page.find("[data-waits]")).to_have_count(1)

    def still() -> None:
        page.aws(feed={**feed(whole, 0, 57), "live": False})
        drawn(page, 57)

    def gone() -> None:
        show(page, every(page.language))
        for button in page.find("[data-gone-resource] button").all():
            button.click()

    def stepper() -> None:
        show(page)
        page.find("[data-decision='34'] button[data-stepper]").click()
        expect(page.find("[aria-current='step']")).to_have_count(1)

    def written() -> None:
        page.aws(feed=feed(hostile(whole), 0, used(whole)), lab=LAB)
        drawn(page, used(whole))

    def connection(state: str) -> None:
        show(page, 30, lab=LAB)
        page.ask("state => view.connect(state)", state)
        expect(page.find(".aws")).to_have_attribute("data-state", {"lost": "disconnected", "none": "snapshot"}[state])

    empty = {**feed(whole, 0, 0), "initial": {}}
    yield "empty", lambda: page.aws(feed=empty, lab=LAB)
    yield "empty-notebook", lambda: page.aws(feed=empty)
    yield "waiting", lambda: page.aws()
    yield "live", lambda: show(page, lab=LAB)
    yield "still", still
    yield "chosen", chosen
    yield "paused", paused
    yield "lost", lambda: connection("lost")
    yield "snapshot", lambda: connection("none")
    yield "gone", gone
    yield "stepper", stepper
    yield "hostile", written


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_at_every_width(open_page: Open, language: str) -> None:
    """In every state nothing sticks out, is cut off or is too small to hit."""
    page = open_page(language, fresh=True)
    found = []
    for name, draw in states(page):
        page.resize(1200)
        draw()
        for width in WIDTHS:
            page.resize(width)
            found += [f"{name}, {width} px: {misfit}" for misfit in page.ask("measure.misfits()")]
            if width in (320, 1200):
                shoot(page.page, f"aws-{name}-{language}-{width}", whole=True)
    assert found == []


@pytest.mark.parametrize(("language", "width"), [("es", 1200), ("ja", 360)])
def test_axe_finds_nothing(open_page: Open, language: str, width: int) -> None:
    """WCAG A, AA and AAA as far as a program can tell, in every state."""
    page = open_page(language, width=width)
    found = []
    for name, draw in states(page):
        draw()
        found += [f"{name}: {violation}" for violation in accessibility(page)]
    assert found == []


@pytest.mark.parametrize("look", [{"color_scheme": "dark"}, {"forced_colors": "active"}])
def test_contrast_holds_in_every_look(open_page: Open, look: dict[str, str]) -> None:
    """Text is told from its ground by 7:1, also in the dark and in the system's own colours."""
    page = open_page("es", **look)
    found = []
    for name, draw in states(page):
        if name in ("waiting", "empty-notebook", "snapshot", "hostile"):
            continue
        draw()
        found += [f"{name}: {violation}" for violation in accessibility(page, colours=True)]
        found += [f"{name}: {control}" for control in page.ask("measure.unreadable()")]
        shoot(page.page, f"aws-{name}-es-{''.join(look.values())}", whole=True)
    assert found == []


# That these tests notice


def _live_with_a_lost_step(page: Plain) -> None:
    whole = pipeline("es")
    shown = json.loads(json.dumps(whole))
    change = next(change for step in shown["steps"][20:] for change in step["set"] if change[0].startswith("queue/"))
    change[2]["in_flight"] = 0
    shows_the_fold(page, whole, shown=shown)


DEFECTS: dict[str, tuple[str, Callable[[Plain], None]]] = {
    "a counter that is not its rows": ("", _live_with_a_lost_step),
    "a text that is read as markup": (
        "document.createTextNode = (text) => document.createRange().createContextualFragment(`<i>${text}</i>`).firstChild;",
        stays_text,
    ),
    "keys that leave the view": ("Event.prototype.stopPropagation = () => {};", keeps_keys),
    "a silent status line": (
        "const { set } = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent');"
        "Object.defineProperty(Node.prototype, 'textContent', { configurable: true, set(text) {"
        " if (this.role !== 'status') { set.call(this, text); } } });",
        speaks,
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_noticed(browser: Browser, defect: str) -> None:
    """Each group of these tests fails where a defect of its kind is put in."""
    script, check = DEFECTS[defect]
    page = Plain(browser, "es", defect=script)
    with pytest.raises(AssertionError):
        check(page)
    page.context.close()
