// What tests ask of a view on the plain page: what is drawn in its shadow roots, and what is wrong with how it is drawn.

/** Every element that fits, in all views of the page, also in a view inside another. */
export function all(selector, root = document) {
  const inside = [...root.querySelectorAll("*")].filter((element) => element.shadowRoot);
  return [...root.querySelectorAll(selector), ...inside.flatMap((host) => all(selector, host.shadowRoot))];
}

/** The element that has the focus, through all shadow roots. */
export function focused() {
  let active = document.activeElement;
  while (active?.shadowRoot?.activeElement) {
    active = active.shadowRoot.activeElement;
  }
  return active;
}

/** Wait until all that is due is drawn: by then its sizes are measured, and what follows from them is drawn too. */
export async function drawn() {
  for (let frame = 0; frame < 3; frame++) {
    await new Promise(requestAnimationFrame);
  }
}

/** Whether somebody sees an element: what is there for screen readers only is clipped to nothing. */
function isShown(element) {
  for (let at = element; at instanceof Element; at = at.parentElement) {
    if (getComputedStyle(at).clipPath === "inset(50%)" || at.getAttribute("aria-hidden") === "true") {
      return false;
    }
  }
  return element.checkVisibility({ visibilityProperty: true });
}

const named = (element) => `${element.tagName.toLowerCase()}.${element.className} «${element.textContent.slice(0, 40)}»`;
const shown = (selector) => all(selector).filter(isShown);

/** What sticks out of the page, is cut off, is too small to hit, or touches its neighbour. */
export function misfits() {
  const found = [];
  const over = document.documentElement.scrollWidth - innerWidth;
  if (over > 0) {
    found.push(`The page is ${over} px wider than the window.`);
  }
  // What ends in «…» says all of it in its title.
  for (const element of shown(".bc :is(button, select, dt, dd, h1, h2, h3, h4, h5, h6, p, li, code, pre, small, span, label)")) {
    const style = getComputedStyle(element);
    const scrolls = style.overflowX === "auto" || style.overflowX === "scroll";
    const isShort = style.textOverflow === "ellipsis" && element.title;
    if (style.display !== "inline" && !scrolls && !isShort && element.scrollWidth > element.clientWidth + 1) {
      found.push(`Cut off by ${element.scrollWidth - element.clientWidth} px: ${named(element)}`);
    }
  }
  for (const element of shown(".bc :is(button, select, input, a)")) {
    const { width, height } = element.getBoundingClientRect();
    const least = element.matches(innerWidth < NARROW ? `${MAIN}, ${MAIN_BY_HAND}` : MAIN) ? 44 : 24;
    if (Math.min(width, height) < least - 0.5) {
      found.push(`${Math.round(width)} by ${Math.round(height)} px, and ${least} are needed: ${named(element)}`);
    }
  }
  const labels = all(".heads .lanes > div b").map((label) => {
    const text = document.createRange();
    text.selectNodeContents(label);
    return text.getBoundingClientRect();
  });
  if (labels.some((label, index) => index && Math.abs(label.top - labels[index - 1].top) < 2 && label.left >= labels[index - 1].left && label.left < labels[index - 1].right)) {
    found.push("The names of two lanes touch.");
  }
  return found;
}

/** The controls that a student uses all the time; the second ones where a finger is likelier than a mouse. */
const MAIN = "[data-do='next'], [data-do='previous'], [data-do='run'], .option, [data-options] input";
const MAIN_BY_HAND = "[data-pause], [data-filter]";
const NARROW = 720;

/** Controls whose text has the colour of their ground, as it happens where the system sets the colours. */
export function unreadable() {
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement ?? at.getRootNode().host) {
      const { backgroundColor } = getComputedStyle(at);
      if (!/^rgba\(.*, 0\)$/.test(backgroundColor)) {
        return backgroundColor;
      }
    }
    return "rgb(255, 255, 255)";
  };
  return shown(".bc :is(button, select, .option, .verdict, .tag, .row .n i, dd)")
    .filter((element) => getComputedStyle(element).color === ground(element))
    .map(named);
}

/** The text that crosses, as it is shown: without the numbers of its notes. */
export function wire() {
  const [shown] = all("[data-wire] pre");
  if (!shown) {
    return null;
  }
  const text = shown.cloneNode(true);
  text.querySelectorAll("sup").forEach((number) => number.remove());
  return text.textContent;
}

/** Each marked part of the text that crosses. */
export const marks = () =>
  all("[data-wire] pre mark").map((mark) => [...mark.childNodes].filter((node) => node.nodeName !== "SUP").map((node) => node.textContent).join(""));

/** The state as the stepper's tiles show it, by path. */
export const tiles = () => Object.fromEntries(all(".tiles > div").map((tile) => [tile.dataset.path, tile.querySelector(".now").textContent]));

/** Press a control so many times and return what `look` sees: before, and after each time. What a press changes is drawn at once. */
export async function pressed(selector, times, look) {
  const seen = [look()];
  for (let time = 0; time < times; time++) {
    all(selector)[0].click();
    await new Promise((turn) => setTimeout(turn));
    seen.push(look());
  }
  return seen;
}

/** Elements and attributes that no view makes: they came from a text that was read as markup. */
export const markup = () =>
  all(".bc :is(img, script, iframe, object, embed, a, marquee), .bc [onerror], .bc [onload], .bc [onclick]").map((element) => element.outerHTML);

/** Note each text that the status line is given from now on, in `window.said`. */
export function listen() {
  window.said = [];
  for (const line of all("[role='status']")) {
    new MutationObserver(() => window.said.push(line.textContent)).observe(line, { childList: true, characterData: true, subtree: true });
  }
}

/** Note each key that reaches the page from now on, in `window.keys`. */
export function overhear() {
  window.keys = [];
  document.addEventListener("keydown", (event) => {
    window.keys.push(event.key);
    if (event.ctrlKey) {
      event.preventDefault(); // the browser would save the page
    }
  });
}

/** Collect each element that fits, also one that is soon gone again, in `window.watched`. */
export function watch(selector) {
  window.watched = new Set(all(selector));
  new MutationObserver(() => all(selector).forEach((element) => window.watched.add(element))).observe(all(".bc")[0], {
    childList: true,
    subtree: true,
  });
}

const pairs = (elements, pair) => Object.fromEntries(elements.map(pair));

/** What the AWS view shows, as plain data. */
export function shownByAws() {
  const inside = (element, selector) => [...element.querySelectorAll(selector)];
  return {
    queues: pairs(all("[data-queue]"), (queue) => [
      queue.dataset.queue,
      {
        counts: pairs(inside(queue, "[data-count]"), (count) => [count.dataset.count, Number(count.querySelector("dd").textContent)]),
        messages: pairs(inside(queue, "[data-message]"), (row) => [row.dataset.message, row.dataset.messageState]),
        over: Number(queue.querySelector("[data-over]")?.dataset.over ?? 0),
      },
    ]),
    mappings: all("[data-mapping]").map((mapping) => mapping.dataset.mappingState),
    tables: pairs(all("[data-table]"), (table) => [table.dataset.table, inside(table, "[data-item]").map((item) => item.dataset.item)]),
    runs: all("[data-run]").map((run) => [run.dataset.run, run.dataset.result]),
    decisions: all("[data-decision]").map((row) => [Number(row.dataset.decision), row.dataset.result, "gone" in row.dataset]),
    gone: all("[data-gone-resource]").map((gone) => gone.dataset.goneResource),
  };
}

/** Give a view one step after another, and return what it shows after each. */
export async function fed(view, feeds) {
  const seen = [];
  for (const feed of feeds) {
    view.apply(feed);
    do {
      await new Promise(requestAnimationFrame);
    } while (Number(all(".aws")[0].dataset.steps) < feed.steps.at(-1).n);
    seen.push(shownByAws());
  }
  return seen;
}

/** Count each time that something reads what a step changed, in `window.reads`, by the step's number. */
export function countReads(feed) {
  window.reads = {};
  for (const step of feed.steps) {
    const { n, set } = step;
    Object.defineProperty(step, "set", {
      get() {
        window.reads[n] = (window.reads[n] ?? 0) + 1;
        return set;
      },
    });
  }
  return feed;
}
