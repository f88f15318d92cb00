"""The stepper alone on a plain page: what it shows at each step, how it is used, and that it can be used by everybody."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.chromium import LANGUAGES, NEEDS_CHROMIUM, shoot
from tests.browser.pages import Plain, accessibility, as_text
from tests.browser.traces import HOSTILE, counterexample, feed, fold, hostile, pipeline, session, told

pytestmark = NEEDS_CHROMIUM

Open = Callable[..., Plain]
WIDTHS = (320, 360, 700, 860, 1200)
FAULTS = ("none", "duplicate", "die", "refuse")
SHAPES = {"accepted": "filled", "refused": "hollow"}


IN_SIGHT = """() => {
    const [row] = measure.all("[aria-current='step']");
    const { top, bottom, left } = row.getBoundingClientRect();
    const found = row.getRootNode().elementFromPoint(left + 60, (top + bottom) / 2);
    return [top >= 0 && bottom <= innerHeight && found?.closest(".row") === row, scrollY];
}"""


def lesson(page: Plain, fault: str = "duplicate", **options: Any) -> dict[str, Any]:
    """Draw lesson 01's story, and return the trace of a fault."""
    story, traces = told(page.language)
    page.stepper(mode="lesson", story=story, traces=traces, fault=fault, **options)
    return dict(traces[fault])


def broken(page: Plain, **options: Any) -> dict[str, Any]:
    """Draw the counterexample, and return its trace."""
    story, traces = counterexample(page.language)
    page.stepper(mode="counterexample", story=story, traces=traces, **options)
    return dict(traces["counterexample"])


def whole(page: Plain, trace: dict[str, Any], *, mode: str = "counterexample", **options: Any) -> None:
    """Draw a trace with a tile for each path that it ever changes. Outside of a session no step is folded away."""
    paths = dict.fromkeys(path for step in trace["steps"] for path, *_ in step["set"])
    tiles = [{"path": path, "field": None, "label": path} for path in paths]
    story = {**told(page.language)[0], "faults": [], "questions": {}, "tiles": tiles}
    page.stepper(mode=mode, story=story, traces={mode: {**trace, "verdict": None, "predict": None}}, **options)


def count(trace: dict[str, Any]) -> int:
    """Return how many steps there are."""
    return len(trace["steps"])


# What it shows


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_prediction_comes_before_the_story(open_page: Open, language: str) -> None:
    """No step shows before an answer or the wish to go without; what was chosen can be changed, and reaches the page."""
    page = open_page(language)
    trace = lesson(page)
    assert page.find(".row").count() == 0

    page.do("run").click()
    expect(page.find("[role='alert']")).not_to_be_empty()
    assert page.ask("measure.focused().closest('[data-options]').dataset.options") == "prediction"

    page.page.keyboard.press("ArrowDown")
    page.page.keyboard.press("Enter")
    expect(page.find(".row")).to_have_count(count(trace) + 1)
    assert page.focus["do"] == "next"
    chosen = page.ask("changes.at(-1)")
    story, _ = told(language)
    assert chosen["step"] == 0
    assert chosen["fault"] == "duplicate"
    assert chosen["prediction"] in [option["id"] for option in story["questions"]["duplicate"]["options"]]

    page.do("change").click()
    expect(page.find("[data-options='prediction'] input:checked")).to_have_count(1)
    assert page.ask("measure.focused().value") == "duplicate"
    page.page.keyboard.press("ArrowRight")
    expect(page.find("[data-options='prediction'] input:checked")).to_have_count(0)
    assert page.ask("changes.at(-1)") == {"step": 0, "fault": "die", "prediction": ""}
    page.do("skip").click()
    expect(page.find(".row")).to_have_count(len(told(language)[1]["die"]["steps"]) + 1)


@pytest.mark.parametrize("language", LANGUAGES)
def test_steps_not_seen_yet_are_veiled(open_page: Open, language: str) -> None:
    """A row tells nothing of its step until it was gone to; going back veils nothing again."""
    page = open_page(language)
    trace = lesson(page)
    page.do("skip").click()
    expect(page.find(".row.veiled")).to_have_count(count(trace))
    assert "m1" not in page.find(".story ol").inner_text()
    assert page.find(".row.veiled .track .act").count() == 0

    page.row(5).click()
    expect(page.find(".row.veiled")).to_have_count(count(trace) - 5)
    page.do("first").click()
    expect(page.find(".row.veiled")).to_have_count(count(trace) - 5)


@pytest.mark.parametrize("height", [500, 700, 900])
def test_the_current_row_stays_in_sight(open_page: Open, height: int) -> None:
    """With the controls at the top of the window, each *next* and *previous* leaves its row in view and the page in its place."""
    page = open_page("es")
    page.page.set_viewport_size({"width": 1200, "height": height})
    trace = lesson(page)
    page.do("skip").click()
    page.ask("measure.all('.controls')[0].scrollIntoView()")
    scrolled = page.ask("scrollY")
    for direction in ("next", "previous"):
        for n in range(count(trace)):
            page.do(direction).click()
            assert page.ask(IN_SIGHT) == [True, scrolled], (direction, n)


@pytest.mark.parametrize("above", [0, 150, 300, 450])
@pytest.mark.parametrize("kind", ["short", "long"])
def test_the_current_row_is_in_sight_wherever_the_stepper_stands(open_page: Open, above: int, kind: str) -> None:
    """The list is no taller than the window's rest below it, so that the page need not be scrolled to see its last row."""
    page = open_page("es", fresh=True)
    page.ask("above => { measure.all('main')[0].style.paddingTop = `${above}px`; }", above)
    if kind == "short":
        trace = lesson(page)
        page.do("skip").click()
    else:
        trace = session("es")
        whole(page, trace)
    for direction in ("next", "previous"):
        seen = page.ask(
            "([direction, count, look]) => measure.pressed(`[data-do='${direction}']`, count, eval(look))",
            [direction, count(trace), IN_SIGHT],
        )
        assert [n for n, what in enumerate(seen) if what != [True, 0]] == [], direction


def test_the_list_fits_anew_when_the_window_changes(open_page: Open) -> None:
    """A lower window, or a page that was scrolled, has the list another height; the current row stays in it."""
    page = open_page("es", fresh=True)
    lesson(page, step=14)
    assert page.ask(IN_SIGHT)[0]
    page.page.set_viewport_size({"width": 1200, "height": 560})
    page.page.wait_for_function(f"({IN_SIGHT})()[0]")
    height = "measure.all('.scroller')[0].clientHeight"
    low = page.ask(height)
    page.ask("scrollTo(0, 150)")
    page.page.wait_for_function(f"{height} > {low} || {height} >= 330")


def folds_exactly(page: Plain, trace: dict[str, Any]) -> None:
    """Assert that the tiles are the state after each step, and that going back shows again what going forth showed."""
    whole(page, trace)
    forth = page.ask("count => measure.pressed(`[data-do='next']`, count, measure.tiles)", count(trace))
    back = page.ask("count => measure.pressed(`[data-do='previous']`, count, measure.tiles)", count(trace))
    for n, shown in enumerate(forth):
        state = fold(trace, n)
        for path, text in shown.items():
            value = state.get(path)
            if isinstance(value, dict):
                assert text == ", ".join(f"{name}: {as_text(held)}" for name, held in value.items()), (n, path)
            elif value is not None:
                assert text == str(value), (n, path)
            elif "/" not in path:
                assert text == "0", (n, path)
    assert back == forth[::-1]


@pytest.mark.parametrize("fault", FAULTS)
def test_the_state_is_the_fold_of_the_steps(open_page: Open, fault: str) -> None:
    """Forwards the tiles show what the changes so far fold to, with each old value as it was; and back is forth."""
    folds_exactly(open_page("es"), told("es")[1][fault])


def test_the_state_of_a_long_story_is_the_fold_of_its_steps(open_page: Open) -> None:
    """The same for the recorded pipeline, of which only the rows in view are drawn."""
    page = open_page("ja")
    folds_exactly(page, session("ja"))
    assert 0 < page.find(".row").count() < 60


def shows_each_text(page: Plain, trace: dict[str, Any]) -> None:
    """Assert that the text of each step is shown as it crossed."""
    whole(page, trace)
    seen = page.ask("count => measure.pressed(`[data-do='next']`, count, measure.wire)", count(trace))
    assert seen[1:] == [step.get("wire", {}).get("text") for step in trace["steps"]]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_text_that_crosses_is_exact(open_page: Open, language: str) -> None:
    """Each step shows the text that crossed, character by character; indenting it is another way to look, no other text."""
    page = open_page(language)
    trace = session(language)
    shows_each_text(page, trace)

    event = next(step for step in trace["steps"] if step["kind"] == "event")
    page.ask("n => view.go(n)", event["n"])
    page.do("pretty").click()
    assert page.ask("JSON.stringify(JSON.parse(measure.wire()))") == page.ask(
        "text => JSON.stringify(JSON.parse(text))", event["wire"]["text"]
    )
    assert "\n" in page.ask("measure.wire()")
    page.do("pretty").click()
    assert page.ask("measure.wire()") == event["wire"]["text"]


def test_marks_count_utf_16_units(open_page: Open) -> None:
    """A mark stands on its part of the text also behind letters that take two units, with its note."""
    page = open_page("ja")
    trace = told("ja")[1]["none"]
    text = "🍱🍱 注文/lucía 3.json"
    begin = len("🍱🍱 ".encode("utf-16-le")) // 2
    marks = [[begin, begin + 2, "letters_pct"], [begin + 8, begin + 9, "space_pct"]]
    trace["steps"][2]["wire"] = {"text": text, "mark": marks}
    whole(page, trace, step=3)

    assert page.ask("measure.wire()") == text
    assert page.ask("measure.marks()") == ["注文", " "]
    assert page.find(".notes li").count() == 2


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_refused_write_is_told_by_word_shape_and_frame(open_page: Open, language: str) -> None:
    """Accepted and refused differ without colour, and what a refused write left is what was there."""
    page = open_page(language)
    trace = lesson(page, "duplicate", step=1)
    writes = {step["decision"]["result"]: step["n"] for step in trace["steps"] if step["kind"] == "write"}
    words = {}
    for result, n in writes.items():
        page.row(n).click()
        card = page.find(f".decision.{result}")
        expect(card).to_have_count(1)
        words[result] = card.locator(".verdict").inner_text()
        sides = [side.split("\n", 1)[1] for side in card.locator(".side").all_inner_texts()]
        assert (sides[0] == sides[1]) == (result == "refused")
        assert card.locator(".sides > [aria-hidden]").inner_text() == ("=" if result == "refused" else "→")
        style = "getComputedStyle(measure.all('.decision')[0]).borderTopStyle"
        assert page.ask(style) == ("dashed" if result == "refused" else "solid")
    assert len(set(words.values())) == 2
    fills = {
        result: page.ask("n => getComputedStyle(measure.all(`.row[data-n='${n}'] .dia`)[0]).fill", n)
        for result, n in writes.items()
    }
    assert fills["refused"] == "rgb(255, 255, 255)" != fills["accepted"]
    assert page.find(".track .pt").all_text_contents() == ["m1·1", "m1·2"]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("is_right", [True, False])
def test_the_prediction_stands_beside_what_came(open_page: Open, language: str, is_right: bool) -> None:
    """The last step says whether it came as predicted, and leads to the step that decides."""
    page = open_page(language)
    question = told(language)[0]["questions"]["die"]
    wrong = next(option["id"] for option in question["options"] if option["id"] != question["answer"])
    trace = lesson(page, "die", step=1, prediction=question["answer"] if is_right else wrong)
    assert page.find("[data-ending]").count() == 0
    page.do("last").click()

    expect(page.find(f"[data-ending='{'held' if is_right else 'failed'}']")).to_contain_text(question["end"])
    assert page.ask("changes.at(-1).step") == count(trace)
    page.do("decides").click()
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", str(question["at"]))


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_counterexample_leads_to_where_it_breaks(open_page: Open, language: str) -> None:
    """It says what was expected and what came, tags the steps to blame, and how much the story was shortened."""
    page = open_page(language)
    trace = broken(page)
    first, last = trace["verdict"]["blame"]
    assert [page.row(n).locator(".tag.bad").count() for n in (first, last)] == [1, 1]
    assert page.row(first).locator(".tag.bad").inner_text() != page.row(last).locator(".tag.bad").inner_text()
    assert page.find(".row.veiled").count() == 0
    expect(page.find(".broken")).to_contain_text("34")
    expect(page.find(".broken")).to_contain_text(str(count(trace)))

    page.do("blame").last.click()
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", str(last))
    page.do("last").click()
    expect(page.find(".tiles .bad .expected")).to_contain_text("550")


def test_a_session_folds_away_what_only_looks(open_page: Open) -> None:
    """Steps that only look or set up are listed on request; a step that is gone to is never hidden."""
    page = open_page("es")
    trace = session("es")
    page.stepper(mode="session", traces={"session": trace})
    looks = next(step["n"] for step in trace["steps"] if step.get("api") == "sqs:GetQueueAttributes")
    assert page.row(looks).count() == 0
    page.do("fold").click()
    expect(page.row(looks)).to_have_count(1)
    page.do("fold").click()
    expect(page.row(looks)).to_have_count(0)
    page.ask("n => view.go(n)", looks)
    expect(page.row(looks)).to_have_attribute("aria-current", "step")


@pytest.mark.parametrize("language", LANGUAGES)
def test_neighbours_that_are_the_same_are_one_row(open_page: Open, language: str) -> None:
    """A call that was refused again and again stands once, with how often; *next* goes on behind all of them."""
    page = open_page(language)
    trace = session(language)
    began = trace["steps"][:20]
    refused = {"t": began[-1]["t"], "kind": "call", "from": "you", "to": "sqs", "api": "sqs:ReceiveMessage"}
    again = [{**refused, "n": n, "error": "QueueDoesNotExist", "set": []} for n in range(21, 205)]
    (after,) = trace["steps"][20:21]
    page.stepper(mode="session", traces={"session": {**trace, "steps": [*began, *again, {**after, "n": 205}]}}, step=21)
    expect(page.row(21)).to_contain_text("×184")
    assert page.row(22).count() == 0
    page.do("next").click()
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", "205")
    page.ask("view.go(100)")
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", "21")


def test_place_and_slider_are_of_the_steps_that_are_listed(open_page: Open) -> None:
    """Where steps are folded away, the last one that is listed is the last of the count too, and the slider is at its end."""
    page = open_page("es")
    page.stepper(mode="session", traces={"session": session("es")}, only=[18, 22, 30], step=30)
    expect(page.find("output")).to_have_text("Paso 3 de 3 (n.º 30)")
    expect(page.do("next")).to_have_attribute("aria-disabled", "true")
    slider = page.find("input[type='range']")
    assert page.ask("(({ value, max }) => [value, max])(measure.all(`input[type='range']`)[0])") == ["3", "3"]
    assert (slider.get_attribute("aria-valuetext") or "").startswith("Paso 3 de 3")


def test_a_lane_that_no_step_uses_is_not_drawn(open_page: Open) -> None:
    """A story without S3 has four lanes, in its heads and in each row."""
    page = open_page("es")
    trace = told("es")[1]["none"]
    steps = [step for step in trace["steps"] if "s3" not in (step["from"], step["to"])]
    for n, step in enumerate(steps, 1):
        step["n"] = n
        step.pop("cause", None)
    whole(page, {**trace, "steps": steps}, step=2)
    assert page.find(".scroller .heads .lanes > div").count() == 4
    assert page.find(".row[data-n='2'] .lane").count() == 4
    lesson(page, "none", step=2)
    assert page.find(".row[data-n='2'] .lane").count() == 5


@pytest.mark.parametrize(("language", "told_why"), [("es", "Ya hay un elemento"), ("ja", "すでにある")])
def test_a_refused_new_item_says_that_the_key_is_there(open_page: Open, language: str, told_why: str) -> None:
    """Where the condition asks for a new key, that an item has it already is why; of another condition no more is known."""
    page = open_page(language)
    trace = told(language)[1]["duplicate"]
    (refused,) = [step for step in trace["steps"] if step.get("decision", {}).get("result") == "refused"]
    table = refused["decision"]["table"]
    for condition, is_told in [
        ("attribute_not_exists(customer)", True),
        ("attribute_not_exists(total)", False),
        ("total = :before", False),
    ]:
        refused["decision"]["condition"] = condition
        initial = {**trace["initial"], f"table/{table}": {"key": ["customer", "order_id"]}}
        whole(page, {**trace, "initial": initial}, step=refused["n"])
        assert (told_why in page.find(".told").inner_text()) == is_told


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_trace_of_another_kind_is_named(open_page: Open, language: str) -> None:
    """Instead of a wrong picture there is an alert that says what came."""
    page = open_page(language)
    page.stepper(mode="session", traces={"session": {"schema": "bentocola.trace/9", "steps": []}})
    expect(page.find("[role='alert']")).to_contain_text("bentocola.trace/9")


def stays_text(page: Plain) -> None:
    """Assert that markup in names, keys, bodies and log lines is shown as it was written, at every step."""
    trace = hostile(session(page.language))
    whole(page, trace)
    look = "() => ({ text: measure.all('.stepper')[0].innerText, markup: measure.markup() })"
    seen = page.ask(f"count => measure.pressed(`[data-do='next']`, count, {look})", count(trace))
    assert [step["markup"] for step in seen if step["markup"]] == []
    assert page.ask("document.body.dataset.ran") is None
    assert sum(HOSTILE in step["text"] for step in seen) > count(trace) / 2


def test_hostile_text_stays_text(open_page: Open) -> None:
    """What comes from a student's code is never read as markup."""
    stays_text(open_page("es"))


def test_the_pages_style_sheet_stays_out(open_page: Open) -> None:
    """JupyterLab's own rules for lists and headings do not reach the stepper."""
    page = open_page("es", fresh=True)
    lesson(page, step=3)
    rule = "dl, dt, dd, h2, h3, h4, button, pre, p, ol, li { float: left !important; font: 30px serif !important; }"
    page.page.add_style_tag(content=rule)
    assert page.ask("getComputedStyle(measure.all('dt')[0]).float") == "none"


# How it is used


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_list_is_one_tab_stop_that_arrows_move(open_page: Open, language: str) -> None:
    """Arrows, Home and End go through the steps and take the focus along; Enter goes to the row that has it."""
    page = open_page(language)
    trace = lesson(page, step=1)
    press = page.page.keyboard.press
    expect(page.find(".row[tabindex='0']")).to_have_count(1)
    page.find(".row[tabindex='0']").focus()
    for key, n in [
        ("ArrowDown", 2),
        ("ArrowRight", 3),
        ("ArrowUp", 2),
        ("ArrowLeft", 1),
        ("End", count(trace)),
        ("Home", 0),
    ]:
        press(key)
        expect(page.find("[aria-current='step']")).to_have_attribute("data-n", str(n))
        assert page.focus["n"] == str(n)
        expect(page.find(".row[tabindex='0']")).to_have_count(1)
    press("ArrowDown")
    press("Enter")
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", "1")


@pytest.mark.parametrize("control", ["next", "last", "change"])
def test_arrows_home_and_end_work_in_the_whole_stepper(open_page: Open, control: str) -> None:
    """Wherever the focus is, it stays there, and the keys go through the steps; nothing around the stepper scrolls."""
    page = open_page("es", fresh=True)
    trace = lesson(page, step=5)
    page.ask("document.body.style.height = '4000px'; 0")
    page.do(control).focus()
    scrolled = page.ask("scrollY")
    keys = {
        "ArrowDown": 6,
        "ArrowRight": 7,
        "ArrowUp": 6,
        "ArrowLeft": 5,
        "End": count(trace),
        "Home": 0,
        "ArrowUp+": 0,
    }
    for key, n in keys.items():
        page.page.keyboard.press(key.rstrip("+"))
        expect(page.find("[aria-current='step']")).to_have_attribute("data-n", str(n))
        assert page.focus["do"] == control
    assert page.ask("scrollY") == scrolled


def test_what_has_keys_of_its_own_keeps_them_and_scrolls_no_page(open_page: Open) -> None:
    """In a text box, in a choice and in the list of calls, Home and End neither move through the steps nor scroll the page."""
    page = open_page("es", fresh=True)
    page.ask("document.body.style.height = '4000px'; 0")
    lesson(page)
    page.ask("scrollTo(0, 40)")
    page.do("run").focus()
    for key in ("End", "Home", "ArrowDown"):
        page.page.keyboard.press(key)
    page.find("[data-options='fault'] input:checked").focus()
    page.page.keyboard.press("End")
    lesson(page, step=1)
    page.find("[data-wire] pre").focus()
    scrolled = page.ask("scrollY")
    for key in ("End", "Home"):
        page.page.keyboard.press(key)
    page.ask("measure.drawn()")
    assert page.ask("scrollY") == scrolled
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", "1")


def keeps_keys(page: Plain) -> None:
    """Assert that plain keys stay in the view, and that what the page or the browser needs goes through."""
    lesson(page, step=3)
    page.ask("measure.overhear()")
    for control in (".row[tabindex='0']", "[data-do='next']", "input[type='range']"):
        page.find(control).focus()
        for key in [*"abdmxy1", "ArrowDown", "Home", "Enter", " ", "Delete"]:
            page.page.keyboard.press(key)
    assert page.ask("keys") == []
    for key in ("Control+s", "Shift+Enter", "Escape"):
        page.page.keyboard.press(key)
    assert [key for key in page.ask("keys") if key not in ("Control", "Shift")] == ["s", "Enter", "Escape"]


def test_plain_keys_never_reach_the_page(open_page: Open) -> None:
    """JupyterLab would add, cut or run cells. Ctrl+S, Shift+Enter and Escape do reach it."""
    keeps_keys(open_page("es", fresh=True))


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_slider_says_where_it_is(open_page: Open, language: str) -> None:
    """A native slider, with the step's name as its value."""
    page = open_page(language)
    lesson(page, step=1)
    slider = page.find("input[type='range']")
    slider.focus()
    page.page.keyboard.press("ArrowRight")
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", "2")
    said = slider.get_attribute("aria-valuetext") or ""
    assert said.startswith(page.find("output").inner_text())
    name = page.row(2).locator(".tx").inner_text().split("\n")[-1].strip()
    assert said.endswith(name.split(": ", 1)[-1])


def speaks(page: Plain) -> None:
    """Assert that the status line tells where one is, whichever way one came there."""
    trace = lesson(page, "die", step=2)
    press = page.page.keyboard.press
    last = count(trace)
    cause = next(step for step in trace["steps"] if "cause" in step and step["n"] > 3)
    question = told(page.language)[0]["questions"]["die"]

    def by_key(control: str, key: str) -> None:
        page.find(control).focus()
        press(key)

    ways: list[tuple[int, Callable[[], Any]]] = [
        (3, lambda: page.do("next").click()),
        (2, lambda: page.do("previous").click()),
        (last, lambda: page.do("last").click()),
        (question["at"], lambda: page.do("decides").click()),
        (0, lambda: page.do("first").click()),
        (1, lambda: by_key(".row[tabindex='0']", "ArrowDown")),
        (2, lambda: by_key("input[type='range']", "ArrowRight")),
        (cause["n"], lambda: page.row(cause["n"]).click()),
        (cause["cause"], lambda: page.do("cause").click()),
        (6, lambda: page.ask("view.go(6)")),
    ]
    status = page.find(".walk > [role='status']")
    for n, go in ways:
        go()
        expect(page.find("[aria-current='step']")).to_have_attribute("data-n", str(n))
        expect(status).to_contain_text(page.find("output").inner_text(), timeout=2_000)
    assert status.get_attribute("aria-live") == "polite"
    assert status.get_attribute("aria-atomic") == "true"


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_status_line_speaks_on_every_path(open_page: Open, language: str) -> None:
    """By button, row, key, slider, link and from outside: a screen reader hears the step's place, name and meaning."""
    page = open_page(language)
    speaks(page)
    expect(page.find(".walk > [role='status']")).to_contain_text(page.find(".detail .told").inner_text())


def test_of_quick_steps_only_the_last_is_spoken(open_page: Open) -> None:
    """Who presses on hears where they are, not where they were."""
    page = open_page("es")
    lesson(page, step=10)
    page.ask("measure.listen()")
    page.ask("for (let time = 0; time < 4; time++) { measure.all(`[data-do='previous']`)[0].click(); }")
    expect(page.find(".walk > [role='status']")).to_contain_text(page.find("output").inner_text())
    assert len(page.ask("said")) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_focus_never_moves_by_itself(open_page: Open, language: str) -> None:
    """The button that was used keeps the focus, also at the end, where it does nothing more."""
    page = open_page(language)
    trace = lesson(page, "none", step=count(told(language)[1]["none"]) - 1)
    page.do("next").focus()
    for _ in range(3):
        page.page.keyboard.press("Enter")
        assert page.focus["do"] == "next"
    expect(page.find("[aria-current='step']")).to_have_attribute("data-n", str(count(trace)))
    assert page.do("next").get_attribute("aria-disabled") == "true"
    assert page.do("next").get_attribute("disabled") is None


def test_a_text_that_cannot_be_copied_is_selected(open_page: Open) -> None:
    """Where the browser denies the clipboard, the text is selected, and the status line says so."""
    page = open_page(
        "es", fresh=True, defect="navigator.clipboard.writeText = () => Promise.reject(new Error('denied'));"
    )
    trace = lesson(page, step=1)
    page.do("copy").click()
    expect(page.find(".walk > [role='status']")).not_to_be_empty()
    marked = page.ask("getSelection().toString().length")
    assert 0 < marked <= len(trace["steps"][0]["wire"]["text"]) + 10


def test_a_live_one_follows_unless_somebody_reads(open_page: Open) -> None:
    """Who stands at the end goes on to what comes; who looks at an earlier step, or is in the list, stays there."""
    page = open_page("es")
    story = {**pipeline("es"), "live": True}
    page.stepper(mode="session", feed=feed(story, 0, 0), inject=True)
    current = page.find("[aria-current='step']")
    expect(page.find(".row")).to_have_count(1)

    page.apply(feed(story, 0, 26))
    expect(current).to_have_attribute("data-n", "26")
    expect(page.find(".walk > [role='status']")).to_contain_text("26")
    page.do("previous").click()
    page.apply(feed(story, 26, 36))
    expect(page.row(36)).to_have_count(1)
    expect(current).to_have_attribute("data-n", "25")
    page.row(36).click()
    page.apply(feed(story, 36, 45))
    expect(current).to_have_attribute("data-n", "36")
    page.do("last").click()
    page.apply(feed(story, 45, 80))
    expect(current).to_have_attribute("data-n", "77")  # what follows is folded away: it takes down what was set up
    page.apply({**feed(story, 0, 18), "story": "another"})
    expect(current).to_have_attribute("data-n", "18")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_live_one_makes_the_next_call_fail(open_page: Open, language: str) -> None:
    """A fault is asked for by its kind and its call, and what became of it is said."""
    page = open_page(language)
    page.stepper(mode="session", feed=feed(pipeline(language), 0, 17), inject=True)
    call, kind = page.find("[data-inject] select").all()
    call.select_option("sqs:DeleteMessage")
    kind.select_option("lost_response")
    page.do("inject").click()
    kind.select_option("deliver_again")
    page.do("inject").click()
    assert page.ask("changes.filter(Array.isArray)") == [
        ["lost_response", "sqs:DeleteMessage"],
        ["deliver_again", "sqs:ReceiveMessage"],
    ]
    page.ask("text => view.said(text)", HOSTILE)
    expect(page.find(".said[role='status']")).to_have_text(HOSTILE)
    assert accessibility(page) == []


# That everybody can use it


def states(page: Plain) -> Iterator[tuple[str, Callable[[], Any]]]:
    """Give each state that the stepper can be in, and what draws it."""
    language = page.language
    question = told(language)[0]["questions"]["duplicate"]
    (refused,) = [
        s["n"] for s in told(language)[1]["duplicate"]["steps"] if s.get("decision", {}).get("result") == "refused"
    ]
    yield "choosing", lambda: lesson(page)
    yield "refusing", lambda: (lesson(page), page.do("run").click())
    yield "first", lambda: (lesson(page), page.do("skip").click())
    yield "step", lambda: lesson(page, step=refused)
    yield "fault", lambda: lesson(page, "die", step=7)
    yield "end", lambda: lesson(page, step=14, prediction=question["answer"])
    yield "counterexample", lambda: (broken(page), page.ask("view.go(99)"))
    yield "session", lambda: page.stepper(mode="session", traces={"session": session(language)}, step=34)
    yield "long", lambda: whole(page, session(language), step=24)
    yield "live", lambda: page.stepper(mode="session", feed=feed(pipeline(language), 0, 40), inject=True)
    yield "unknown", lambda: page.stepper(mode="session", traces={"session": {"schema": "x/9", "steps": []}})


@pytest.mark.parametrize("language", LANGUAGES)
def test_it_fits_at_every_width(open_page: Open, language: str) -> None:
    """In every state nothing sticks out, is cut off or is too small to hit, and no two lanes' names touch."""
    page = open_page(language, fresh=True)
    found = []
    for name, draw in states(page):
        draw()
        for width in WIDTHS:
            page.resize(width)
            found += [f"{name}, {width} px: {misfit}" for misfit in page.ask("measure.misfits()")]
            if width in (320, 1200):
                shoot(page.page, f"stepper-{name}-{language}-{width}", whole=True)
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
        if name in ("first", "long", "refusing"):
            continue  # their colours are those of other states
        draw()
        found += [f"{name}: {violation}" for violation in accessibility(page, colours=True)]
        shoot(page.page, f"stepper-{name}-es-{''.join(look.values())}", whole=True)
    assert found == []


def is_readable(page: Plain) -> None:
    """Assert that in the system's own colours each control can be read, and the current row is outlined."""
    for _, draw in states(page):
        draw()
        assert page.ask("measure.unreadable()") == []
    lesson(page, step=3)
    assert page.ask("getComputedStyle(measure.all('.row[aria-current]')[0]).outlineStyle") == "solid"


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_forced_colours_leave_all_readable(open_page: Open, scheme: str) -> None:
    """Nothing has the colour of its ground, and what shadow and colour said is said by an outline."""
    is_readable(open_page("ja", forced_colors="active", color_scheme=scheme))


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_one_short_movement_on_next_and_none_where_it_is_unwanted(open_page: Open, motion: str) -> None:
    """*Next* sends one token along the arrow; it goes by itself. Going back moves nothing."""
    page = open_page("es", reduced_motion=motion)
    lesson(page, step=3)
    page.ask("measure.watch('.token')")
    page.do("previous").click()
    page.do("first").click()
    page.row(3).click()
    assert page.ask("watched.size") == 0
    page.do("next").click()
    expect(page.find(".token")).to_have_count(0)
    assert page.ask("watched.size") == (1 if motion == "no-preference" else 0)


# That these tests notice


def _wrong_old(page: Plain) -> None:
    trace = copy.deepcopy(told("es")[1]["none"])
    next(change for step in trace["steps"] for change in step["set"] if change[1] is not None)[1] = 7
    folds_exactly(page, trace)


def _narrow(page: Plain) -> None:
    lesson(page, step=3)
    assert page.ask("measure.misfits()") == []


def _axe(page: Plain) -> None:
    lesson(page, step=3)
    assert accessibility(page) == []


def _style(rule: str) -> str:
    """Return a script that puts a rule into each view."""
    return (
        "const attach = Element.prototype.attachShadow; Element.prototype.attachShadow = function (mode) {"
        " const root = attach.call(this, mode); const sheet = new CSSStyleSheet();"
        # After the view's own, which it gives its root at once.
        f" sheet.replaceSync({rule!r}); queueMicrotask(() => root.adoptedStyleSheets.push(sheet)); return root; }};"
    )


DEFECTS: dict[str, tuple[str, Callable[[Plain], None], dict[str, Any]]] = {
    "a state that is not the fold": ("", _wrong_old, {}),
    "a text with other line ends": (
        "const make = document.createTextNode.bind(document);"
        r"document.createTextNode = (text) => make(String(text).replace(/\r\n/g, '\n'));",
        lambda page: shows_each_text(page, told("es")[1]["none"]),
        {},
    ),
    "a text that is read as markup": (
        "document.createTextNode = (text) => document.createRange().createContextualFragment(`<i>${text}</i>`).firstChild;",
        stays_text,
        {},
    ),
    "keys that leave the view": ("Event.prototype.stopPropagation = () => {};", keeps_keys, {}),
    "a silent status line": (
        "const { set } = Object.getOwnPropertyDescriptor(Node.prototype, 'textContent');"
        "Object.defineProperty(Node.prototype, 'textContent', { configurable: true, set(text) {"
        " if (this.role !== 'status') { set.call(this, text); } } });",
        speaks,
        {},
    ),
    "a row too wide": (_style(".row { min-width: 400px; }"), _narrow, {"width": 320}),
    "a button too small": (_style(".next { min-height: 40px !important; height: 40px; }"), _narrow, {}),
    "a cut label": (_style(".tx { overflow: hidden; white-space: nowrap; }"), _narrow, {"width": 860}),
    "a text too faint": (_style(".told { color: #888; }"), _axe, {}),
    "a button that forced colours make empty": (
        _style(".primary { forced-color-adjust: none; color: red !important; background: red !important; }"),
        is_readable,
        {"forced_colors": "active"},
    ),
}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_noticed(browser: Browser, defect: str) -> None:
    """Each group of these tests fails where a defect of its kind is put in."""
    script, check, context = DEFECTS[defect]
    page = Plain(browser, "es", defect=script, **context)
    with pytest.raises(AssertionError):
        check(page)
    page.context.close()
