"""Live cells in Chromium: they print what JupyterLab prints; they can be changed, stopped and taken back; errors speak the page's
language; the assignments' tests judge; and all of it works without a line once it was there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from bentocola.messages import LANGUAGES, translate
from tests.browser.chromium import NEEDS_CHROMIUM, shoot
from tests.notebooks.editions import ASSIGNMENT, assignment_source
from tests.preview.cells import Cells
from tests.preview.sites import Site, served
from tests.preview.test_reading import PAPERS, choose, violations

pytestmark = NEEDS_CHROMIUM

LESSONS = ("00-start-here", "01-upload-to-table", "05-idempotent-consumer")
NEW = "m01-own"
"""A cell of the student's in lesson 01."""


@pytest.fixture
def page(browser: Browser, open_site: Site) -> Iterator[Page]:
    """A page of the site in a browser without a past, in which nothing is refused or breaks."""
    context = open_site.watch(browser.new_context())
    made, wrong = context.new_page(), []
    made.on("console", lambda message: wrong.append(message.text) if message.type == "error" else None)
    made.on("pageerror", lambda error: wrong.append(str(error)))
    yield made
    context.close()

    assert wrong == []
    assert open_site.elsewhere == []


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lesson", LESSONS)
def test_each_cell_prints_what_jupyterlab_prints(page: Page, open_site: Site, lesson: str, language: str) -> None:
    """The page was made with what a kernel printed. Where that draws a view, the view is drawn."""
    page.goto(f"{open_site.address}{language}/{lesson}.html")
    cells, differ = Cells(page), {}
    cells.uncover()
    for name in cells.names:
        expected, got = cells.output(name), cells.run(name)
        if cells.cell(name).get_attribute("data-live") == "student":
            continue  # no page shows what a blank cell prints
        if cells.cell(name).locator(".output > .view").count():
            expect(cells.cell(name).locator(".view :is(h2, h3, h4, legend, p)").first).to_be_visible()
        elif name == "m00-check":
            # A page brings its Python, and does not say of which version it has to be.
            assert expected.replace(f"✓ {translate(language, 'Python 3.11 or 3.12 runs the notebook.')}\n", "") == got
        elif expected != got:
            differ[name] = (expected, got)

    assert differ == {}


def test_cells_above_run_first_and_once(page: Page, open_site: Site) -> None:
    """Whoever runs a cell in the middle gets what it needs; those that ran are not run again, unless they were changed."""
    page.goto(f"{open_site.address}es/01-upload-to-table.html")
    cells = Cells(page)
    first = cells.run("m01-twin-event")
    again = cells.run("m01-twin-event")
    cells.write("m01-run-event", "event = 'changed'")
    cells.write("m01-twin-key", "print(event)")

    assert first.splitlines() == ["['Service', 'Event', 'Time', 'Bucket', 'RequestId', 'HostId']", "['Records']"]
    assert again.splitlines() == ["['Records']"]
    assert cells.run("m01-twin-key") == "changed"


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_change_stays_in_the_browser_until_it_is_taken_back(page: Page, open_site: Site, language: str) -> None:
    """Also when the page is opened again; then the original code and what it printed are there once more."""
    address = f"{open_site.address}{language}/01-upload-to-table.html"
    page.goto(address)
    cells = Cells(page)
    cells.uncover()
    printed = cells.output("m01-run-event")
    cells.write("m01-run-event", "print('mine')")
    page.goto(address)
    field = cells.cell("m01-run-event").locator("textarea")

    assert field.input_value() == "print('mine')"
    assert cells.run("m01-run-event") == "mine"
    cells.button("m01-run-event", "reset").click()
    assert cells.output("m01-run-event") == ""  # to be predicted again
    cells.uncover()
    assert cells.output("m01-run-event") == printed
    page.goto(address)
    assert cells.cell("m01-run-event").locator("textarea").count() == 0


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "endless", ["while True: pass", "while True: print('x' * 50)", "try:\n  while True: pass\nexcept: pass"]
)
def test_stop_ends_what_never_ends(page: Page, open_site: Site, endless: str, language: str) -> None:
    """And says what is gone. The next run works, from the first cell on."""
    say = partial(translate, language)
    page.goto(f"{open_site.address}{language}/01-upload-to-table.html")
    cells = Cells(page)
    cells.run("m01-run-event")
    cells.write(NEW, endless)
    cells.begin(NEW)
    expect(cells.cell(NEW).locator(".bar .said")).to_have_text(say("Running."), timeout=60_000)
    cells.button(NEW, "stop").click()
    cells.wait(NEW)

    assert cells.said(NEW) == say("Stopped. What the cells made is gone: the next run begins with those above.")
    assert len(cells.output(NEW)) < 110_000
    cells.write(NEW, "print(len(event))")
    assert cells.run(NEW) == "1"


def test_stop_while_python_comes_and_while_a_cell_waits(page: Page, open_site: Site) -> None:
    """What was stopped is not run later; what waits can be taken back alone; and the next run works."""
    page.goto(f"{open_site.address}es/00-start-here.html")
    cells = Cells(page)
    cells.begin("m00-run-first")
    cells.button("m00-run-first", "stop").click()
    cells.wait("m00-run-first")
    cells.write("m00-run-first", "while True: pass")
    cells.write("m00-run-count", "print('counted')")
    cells.begin("m00-run-first")
    cells.begin("m00-run-count")
    waits = cells.said("m00-run-count")
    cells.button("m00-run-count", "stop").click()
    cells.button("m00-run-first", "stop").click()
    cells.wait("m00-run-first")
    cells.write("m00-run-first", "print('first')")

    assert waits == translate("es", "Waits for the cell that runs.")
    assert cells.output("m00-run-count") != "counted"
    assert cells.run("m00-run-first") == "first"


@pytest.mark.parametrize(
    "source",
    [
        "def f(n):\n    return f(n + 1)\nf(0)",
        "import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return [f(n + 1) for _ in range(1)]\nf(0)",
        "kept = []\nwhile True:\n    kept.append(bytearray(10**8))",
        "import os\nos._exit(3)",
    ],
    ids=["recursion", "deeper recursion", "memory", "exit"],
)
def test_whatever_happens_to_python_is_told_and_a_later_run_works(
    browser: Browser, open_site: Site, source: str
) -> None:
    """As an error of the cell where Python goes on, and as its end where it does not."""
    page = browser.new_page()
    page.goto(f"{open_site.address}ja/00-start-here.html")
    cells = Cells(page)
    cells.write("m00-run-first", source)
    told = cells.run("m00-run-first")
    said = cells.said("m00-run-first")
    cells.write("m00-run-first", "print('again')")
    again = cells.run("m00-run-first")
    page.close()

    broke = translate(
        "ja", "Python itself stopped, perhaps for lack of memory. The next run begins with the cells above."
    )
    assert said == broke or "Error" in told
    assert again == "again"


ERRORS = {
    "runs": ("a = 1\nb = a / 0", "{line}: ZeroDivisionError", 2),
    "cannot be read": ("a = 1\nif a\n    b = 2", "SyntaxError", 2),
    "within a function": ("def f():\n    return missing\n\nf()", "NameError", 2),
}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("case", ERRORS)
def test_an_error_names_the_line_in_the_page_s_language(page: Page, open_site: Site, case: str, language: str) -> None:
    """The exception keeps its own name; nothing of ours is in what leads there."""
    source, name, line = ERRORS[case]
    page.goto(f"{open_site.address}{language}/00-start-here.html")
    cells = Cells(page)
    cells.write("m00-run-first", source)
    told = cells.run("m00-run-first")

    beginning = {"es": f"Línea {line}: ", "ja": f"{line}行目："}[language]
    assert told.startswith(beginning)
    assert name.removeprefix("{line}: ") in told
    assert "bentocola" not in told
    assert cells.said("m00-run-first") == translate(language, "It stopped with an error, which stands below.")


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_error_above_holds_nothing_up_and_is_led_to(page: Page, open_site: Site, language: str) -> None:
    """Who made a slip in one cell can go on with those that do not need it, and is told where it was."""
    page.goto(f"{open_site.address}{language}/01-upload-to-table.html")
    cells = Cells(page)
    cells.write("m01-run-event", "raise ValueError('no')")
    printed = cells.run("m01-twin-event")
    link = cells.cell("m01-twin-event").locator(".said a")
    leads_to, told = link.get_attribute("href"), link.inner_text()
    cells.write("m01-twin-key", "print(event)")
    cells.run("m01-twin-key")

    assert printed.splitlines()[-1] == "['Records']"
    assert leads_to == "#m01-run-event"
    assert told == translate(language, "It ends without an error, but a cell above stopped with one. Go to it.")
    assert cells.said("m01-twin-key") == translate(language, "A cell above stopped with an error. Go to it.")
    assert "ValueError: no" in cells.output("m01-run-event")


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_to_be_predicted_is_not_seen_before(browser: Browser, open_site: Site, language: str) -> None:
    """Neither without a script, where it opens with a click, nor before the cell ran; then it is."""
    for is_scripted in (False, True):
        context = browser.new_context(java_script_enabled=is_scripted)
        page = context.new_page()
        page.goto(f"{open_site.address}{language}/01-upload-to-table.html")
        output = page.locator("#m01-twin-event .output")
        assert not output.is_visible()
        if is_scripted:
            assert Cells(page).run("m01-twin-event") != ""
        else:
            page.locator("#m01-twin-event summary").click()
        assert output.is_visible()
        context.close()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_in_words_and_a_new_beginning(page: Page, open_site: Site, language: str) -> None:
    """What is written stays; to begin again takes what the cells made, and nothing of what was written."""
    address = f"{open_site.address}{language}/{ASSIGNMENT}-assignment.html"
    page.goto(address)
    own = page.locator("[data-own-words] textarea").first
    own.fill("Porque llega dos veces")
    cells = Cells(page)
    cells.run("order-keys")
    page.locator(".note button").click()
    cells.write("order-keys", "print('cloud' in globals(), 'order_keys' in globals())")
    cells.write("a01-setup", "pass")
    again = cells.run("order-keys")
    page.goto(address)

    assert again == "False False"
    assert page.locator("[data-own-words] textarea").first.input_value() == "Porque llega dos veces"
    assert cells.cell("order-keys").locator("textarea").input_value().startswith("print(")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_cell_can_be_added_below_one_s_own(page: Page, open_site: Site, language: str) -> None:
    """Where lessons ask for one. What was written in it is there on the next visit."""
    address = f"{open_site.address}{language}/01-upload-to-table.html"
    page.goto(address)
    cells, added = Cells(page), f"{NEW}-more"
    cells.write(NEW, "def order_of(key):\n    return key.split('/')")
    cells.button(NEW, "add").click()
    page.keyboard.type("order_of('a/b')")
    printed = cells.run(added)
    found = violations(page)
    page.goto(address)

    assert printed == "['a', 'b']"
    assert found == []
    assert cells.cell(added).locator("textarea").input_value() == "order_of('a/b')"
    assert cells.names.index(added) == cells.names.index(NEW) + 1
    assert not cells.button(NEW, "add").is_visible()


def test_a_flood_of_lines_leaves_what_stands_below_in_reach(page: Page, open_site: Site) -> None:
    """Of many short lines the first ones are shown."""
    page.goto(f"{open_site.address}ja/00-start-here.html")
    cells = Cells(page)
    cells.write("m00-run-first", "for n in range(5000):\n    print(n)")
    lines = cells.run("m00-run-first").splitlines()

    assert lines[:2] == ["0", "1"]
    assert len(lines) == 302
    assert lines[-1] == translate("ja", "(More was printed than is shown here.)")


WRONG = {
    "es": "def save_once(dynamodb, table, item):\n    dynamodb.put_item(TableName=table, Item=item)\n    return True",
}
WRONG["ja"] = WRONG["es"]


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_wrong_answer_gets_its_story_and_its_replay(page: Page, open_site: Site, language: str) -> None:
    """As in JupyterLab: the verdict in words, the shortest story, and the stepper that walks through it."""
    page.goto(f"{open_site.address}{language}/{ASSIGNMENT}-assignment.html")
    cells = Cells(page)
    cells.write("save-once", WRONG[language])
    told = cells.run("test-save-once-repeat")
    replay = cells.cell("test-save-once-repeat").locator(".output details summary")
    replay.click()
    stepper = cells.cell("test-save-once-repeat").locator(".bentocola-view")
    expect(stepper).to_be_visible()

    assert translate(language, "not yet") in told
    assert len(cells.cell("test-save-once-repeat").locator(".output ol > li").all()) >= 3
    assert on_each_background(page, f"preview-live-story-{language}") == dict.fromkeys(PAPERS, [])


def on_each_background(page: Page, name: str) -> dict[str, list[tuple[str, str]]]:
    """Return what axe finds on each background."""
    found = {}
    for paper in PAPERS:
        choose(page, paper=paper)
        shoot(page, f"{name}-{paper}", whole=True)
        found[paper] = violations(page)
    return found


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_reference_answers_pass_every_visible_test(page: Page, open_site: Site, language: str) -> None:
    """So whoever learns alone can know that they are through. No hidden test is in the page."""
    page.goto(f"{open_site.address}{language}/{ASSIGNMENT}-assignment.html")
    cells, answers = Cells(page), solutions(language)
    for name, answer in answers.items():
        cells.write(name, answer)
    told = {name: cells.run(name) for name in cells.names if name.startswith("test-")}
    sign = {"es": "✓", "ja": "○"}[language]

    assert len(answers) == 8
    assert [name for name, one in told.items() if not one.startswith(sign)] == []


def solutions(language: str) -> dict[str, str]:
    """Return the reference answers of assignment 01 by their cells."""
    return {
        cell.id: "\n".join(line for line in cell.source.splitlines() if not line.strip().startswith("### "))
        for cell in assignment_source(language).cells
        if cell.cell_type == "code" and "### BEGIN SOLUTION" in cell.source
    }


def test_a_view_and_its_cloud_speak_to_each_other(page: Page, open_site: Site) -> None:
    """A fault that is chosen in the view happens in the cloud, and what happens there shows in the view."""
    page.goto(f"{open_site.address}es/01-upload-to-table.html")
    cells = Cells(page)
    cells.write(NEW, "cloud.view()")
    cells.run(NEW)
    view = cells.cell(NEW).locator(".view")
    before = view.inner_text()
    cells.write(
        "m01-own-try",
        "sqs.send_message(QueueUrl=shop.new_queue(), MessageBody='hola desde la celda')['MessageId'] and None",
    )
    cells.run("m01-own-try")
    expect(view).to_contain_text("hola desde la celda")

    assert "hola desde la celda" not in before
    assert on_each_background(page, "preview-live-view") == dict.fromkeys(PAPERS, [])


def test_everything_works_without_a_line_once_it_was_there(browser: Browser, site: Path) -> None:
    """The pages that were read, and Python: from what the browser keeps."""
    context = browser.new_context()
    page = context.new_page()
    cells = Cells(page)
    with served(site) as there:
        address = f"{there.address}ja/01-upload-to-table.html"
        page.goto(address)
        page.evaluate("navigator.serviceWorker.ready.then(() => true)")
        first = cells.run("m01-twin-event")
    page.goto(address)
    again = cells.run("m01-twin-event")
    context.close()

    assert first == again != ""


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_comes_is_told_and_what_does_not_come_too(browser: Browser, open_site: Site, language: str) -> None:
    """How many megabytes of how many; and a line that breaks is said, and the next try works."""
    say = partial(translate, language)
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    held: list[Route] = []
    context.route("**/*.wasm", lambda route: held.append(route))
    page.goto(f"{open_site.address}{language}/01-upload-to-table.html")
    cells = Cells(page)
    cells.begin("m01-setup")
    bar = cells.cell("m01-setup").locator(".bar")
    expect(bar.locator(".said")).to_have_text(say("Python and the local cloud are coming to this page."))
    amount = bar.locator(".amount")
    expect(amount).to_contain_text(re.compile(r"\d+[.,]\d"))
    meter = bar.locator("progress")
    loaded, whole = meter.evaluate("meter => meter.value"), meter.evaluate("meter => meter.max")
    while not held:
        page.wait_for_event("request")
    held.pop().abort()
    cells.wait("m01-setup")
    failed = cells.said("m01-setup")
    context.unroute("**/*.wasm")
    printed = cells.run("m01-setup")
    is_gone = meter.is_hidden()
    context.close()

    assert loaded < whole == pytest.approx(19e6, rel=0.2)
    assert failed == say("Python could not be loaded. Check the connection, and run the cell again.")
    assert "us-east-1" in printed
    assert is_gone


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("lacking", ["WebAssembly", "Worker"])
def test_a_browser_that_cannot_is_told_so(browser: Browser, open_site: Site, lacking: str, language: str) -> None:
    """In one sentence, and no button stands there that would do nothing."""
    context = browser.new_context()
    context.add_init_script(f"delete globalThis.{lacking}")
    page = context.new_page()
    page.goto(f"{open_site.address}{language}/01-upload-to-table.html")
    said = page.locator(".note").inner_text()
    buttons = page.locator("[data-act]").count()
    context.close()

    assert re.search({"WebAssembly": "WebAssembly", "Worker": "segundo plano|ワーカー"}[lacking], said)
    assert buttons == 0


def test_a_page_opened_as_a_file_says_how_to_serve_it(browser: Browser, site: Path) -> None:
    """Its text is all there; a module is not loaded from a file, so the sentence stands in the page itself."""
    page = browser.new_page()
    page.goto((site / "es" / "01-upload-to-table.html").as_uri())
    note = page.locator(".note")
    expect(note).to_be_visible()
    said = note.inner_text()
    page.close()

    assert "python3 -m http.server" in said


@pytest.mark.parametrize("paper", PAPERS)
def test_live_cells_are_accessible_on_each_background(page: Page, open_site: Site, paper: str) -> None:
    """While one waits, when one failed, and with a field open."""
    page.goto(f"{open_site.address}ja/{ASSIGNMENT}-assignment.html")
    choose(page, paper=paper)
    cells = Cells(page)
    cells.write("order-keys", "def order_keys(body):\n    return 1 / 0")
    cells.begin("test-order-keys-several")
    loading = violations(page)
    cells.wait("test-order-keys-several")
    cells.write("a01-setup", "nothing")
    cells.run("a01-setup")
    shoot(page, f"preview-live-{paper}", whole=True)

    assert loading == []
    assert violations(page) == []


def test_the_keyboard_does_it_all(page: Page, open_site: Site) -> None:
    """Control and Enter run a cell from its field; Enter keeps the indentation; Tab leads on, and the focus is never lost."""
    page.goto(f"{open_site.address}es/01-upload-to-table.html")
    cells = Cells(page)
    cells.cell(NEW).locator("textarea").focus()
    page.keyboard.press("Control+a")
    page.keyboard.type("for n in range(2):\nprint(n)")
    page.keyboard.press("Control+Enter")
    cells.wait(NEW)
    written = cells.cell(NEW).locator("textarea").input_value()
    page.keyboard.press("Tab")

    assert written == "for n in range(2):\n    print(n)"
    assert cells.output(NEW) == "0\n1"
    assert page.evaluate("document.activeElement.dataset.act") == "run"
