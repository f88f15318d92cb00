"""How soon the AWS view shows what happened: from a feed's arrival to its rows in the page, after a few events and after 10,000.

The peer is a page that draws all of its rows anew with each feed, as a view without a window over its rows does. Both are
given the same feeds in the same browser, in turn. A feed is one order's way: ten steps. What is to hold: 300 ms or less.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import sync_playwright

from bench.measure import Case, print_ratios, versions
from tests.browser.chromium import CHROMIUM, FLAGS
from tests.browser.pages import Plain
from tests.browser.traces import feed, many

_FEW, _MANY = 107, 10_007
_A_FEED = 10
# Each resolves to the milliseconds until the newest decision stands in the page.
_VIEW = """
window.inView = (feed) => new Promise((resolve) => {
  const newest = `[data-decision='${feed.steps.findLast(({ decision }) => decision).n}']`;
  const root = measure.all(".bc")[0];
  const began = performance.now();
  const observer = new MutationObserver(() => {
    if (root.querySelector(newest)?.getBoundingClientRect().height) {
      observer.disconnect();
      resolve(performance.now() - began);
    }
  });
  observer.observe(root, { childList: true, subtree: true });
  view.apply(feed);
});
"""
_PEER = """
window.table = document.createElement("table");
window.inTable = (feed) => {
  const began = performance.now();
  told.push(...feed.steps);
  const row = ({ n, kind, name = "", decision }) => {
    const line = document.createElement("tr");
    for (const text of [n, kind, name, decision ? JSON.stringify([decision.before, decision.after]) : ""]) {
      line.insertCell().textContent = text;
    }
    return line;
  };
  table.replaceChildren(...told.filter(({ kind }) => ["message", "run_end", "write"].includes(kind)).map(row).reverse());
  table.getBoundingClientRect();
  return performance.now() - began;
};
"""


def main(repetitions: int = 15) -> None:
    """Measure and print."""
    print(
        "views: from a feed of ten steps to its rows in the page, laid out\n"
        f"{repetitions} feeds a case, taking turns, in one browser. It is to take 300 ms or less."
    )
    whole = many("es", (_MANY // _A_FEED) + 2 * repetitions)
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=FLAGS)
        for events in (_FEW, _MANY):
            page = Plain(chromium, "es")
            times = _measured(page, whole, events, repetitions)
            elements = page.ask("measure.all('.bc *').length")
            cases = [Case("all rows anew", ""), Case("bentocola", "")]
            print_ratios(f"after {events:,} events", cases, times, scale=1)
            print(f"  {'bentocola, the slowest':<42} {max(times[-1]):>7.1f} ms")
            print(f"  {'bentocola, elements in the page':<42} {elements:>7}")
            page.context.close()
        chromium.close()
    print(f"\n{versions()}")


def _measured(page: Plain, whole: dict[str, Any], events: int, repetitions: int) -> list[list[float]]:
    """Return the milliseconds of the peer and of the view, for feeds after so many events."""
    # In the page's own way: a feed of 10,000 steps is not carried there by the test's.
    page.answers["/before"] = lambda route: route.fulfill(json=feed(whole, 0, events))
    page.aws()
    page.ask(
        "fetch('/before').then((said) => said.json()).then((feed) => { window.told = [...feed.steps]; view.apply(feed); })"
    )
    page.page.wait_for_function("steps => Number(measure.all('.aws')[0].dataset.steps) === steps", arg=events)
    page.ask(f"() => {{ {_VIEW} {_PEER} document.body.append(table); }}")
    in_table, in_view = [], []
    for begin in range(events, events + _A_FEED * repetitions, _A_FEED):
        more = feed(whole, begin, begin + _A_FEED)
        in_table.append(float(page.ask("feed => inTable(feed)", more)))
        page.ask("table.remove()")
        in_view.append(float(page.ask("feed => measure.drawn().then(() => inView(feed))", more)))
        page.ask("document.body.append(table)")
    return [in_table, in_view]


if __name__ == "__main__":
    main()
