// Live cells: each cell of code gets buttons to run, change and reset it. Python is loaded when the first one is run, and shared.
// A page is whole without it. What it says stands in the page, as JSON in #live.
import { Editor, isKept, ownWords } from "./live-editor.js";
import { Output } from "./live-output.js";
import { Ended, Session, obstacle } from "./live-session.js";

const { words, python, bytes, page } = JSON.parse(document.getElementById("live").textContent);
const base = new URL("..", import.meta.url).href;
const number = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

const ran = new Map(); // what each cell held when it ran to its end, by the cell
let running = null;
let turns = Promise.resolve(); // each cell that was asked to run, after those before it
let ends = 0; // how often Python was ended: what waited then is not run

const session = new Session({
  base,
  python: new URL(python, base).href,
  language: document.documentElement.lang,
  onProgress: (loaded) => running?.progress(loaded),
  onEnd: () => {
    ran.clear();
    ends += 1;
  },
});

const moreOf = (element) => `${element.id}-more`;
const isMore = (element) => element.id.endsWith("-more");

class Cell {
  isWaiting = false; // from when it is asked to run until it has

  constructor(element) {
    this.element = element;
    this.kind = element.dataset.live; // "given", "student" or "test"
    this.editor = new Editor(element, { page, label: words.code });
    this.place = element.querySelector(".output") ?? this.#madeOutput();
    this.cover = element.querySelector("details.foretold"); // over what is to be predicted first
    this.before = [...this.place.childNodes].map((node) => node.cloneNode(true)); // what the page was made with
    this.output = new Output(this.place, { views: `${base}static/views.mjs`, modelOf: (model) => session.model(model), words });
    this.#bar();
    if (this.kind === "student") this.editor.open();
    element.addEventListener("change-of-code", () => this.#shown());
    element.addEventListener("dblclick", (event) => event.target.closest(".code") && this.edit());
    element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey || event.shiftKey)) return;
      event.preventDefault();
      this.run();
      // As in JupyterLab, it leads on to the next cell.
      if (event.shiftKey) (cells[cells.indexOf(this) + 1] ?? this).buttons.run.focus();
    });
    this.#shown();
  }

  /** Whether it has not run as it stands. */
  get isNew() {
    return ran.get(this) !== this.editor.source;
  }

  /** Run those above that have not run as they stand, and then this one; when others were asked for before, after these. */
  run() {
    if (this.isWaiting) return;
    this.isWaiting = true;
    if (running) this.say(words.waiting);
    const known = ends;
    turns = turns.then(async () => {
      if (known === ends && this.isWaiting) await this.#run();
      this.isWaiting = false;
      this.#shown();
    });
    this.#shown();
  }

  async #run() {
    running = this;
    let isThere = session.isStarted;
    const above = cells.slice(0, cells.indexOf(this)).filter((cell) => cell.isNew && cell.kind !== "test");
    const failed = [];
    this.output.clear(); // what stood there was of another run
    try {
      if (!isThere) await this.#load();
      isThere = true;
      for (const [n, cell] of [...above, this].entries()) {
        if (cell !== this) this.say(fill(words.above, { done: n + 1, count: above.length }));
        else this.say(words.running);
        const source = cell.editor.source;
        const isDone = await session.run(cell.element.id, source, {
          begin: () => cell.#begin(),
          put: (output) => cell.output.put(output),
        });
        cell.output.flush();
        if (isDone) ran.set(cell, source);
        else failed.push(cell);
      }
      // An error above may be of no account here, and it may be the cause of one here.
      if (failed.length > 0 && failed[0] !== this) this.#leadTo(failed[0], failed.includes(this));
      else this.say(failed.length > 0 ? words.failed : words.done);
    } catch (error) {
      // Who stopped it has said so.
      if (!(error instanceof Ended)) this.say(isThere ? words.broke : words.unloaded);
    } finally {
      running = null;
    }
  }

  edit() {
    this.editor.open();
    this.editor.focus();
    this.#shown();
  }

  /** Put an empty cell below this one, and return it. There is one at most. */
  add() {
    const made = this.element.cloneNode(false);
    made.id = moreOf(this.element);
    made.append(Object.assign(document.createElement("p"), { className: "label", textContent: words.free_cell }));
    const code = Object.assign(document.createElement("div"), { className: "code" });
    code.append(document.createElement("pre"));
    made.append(code);
    made.setAttribute("aria-label", words.free_cell);
    made.removeAttribute("data-running");
    this.element.after(made);
    const cell = new Cell(made);
    cells.splice(cells.indexOf(this) + 1, 0, cell);
    this.buttons.add.hidden = true;
    return cell;
  }

  stop() {
    if (!this.isWaiting) return;
    if (running !== this) {
      this.isWaiting = false; // its turn passes it over
      this.say("");
      return this.#shown();
    }
    for (const cell of cells) if (cell.isWaiting) cell.say("");
    session.end();
    this.say(words.stopped);
  }

  reset() {
    this.stop();
    this.editor.reset();
    if (this.kind === "student") this.editor.open();
    this.output.clear();
    this.place.append(...this.before.map((node) => node.cloneNode(true)));
    if (this.cover) this.cover.open = false;
    this.say(words.was_reset);
    this.#shown();
  }

  progress(loaded) {
    this.meter.value = Math.min(loaded, bytes);
    this.amount.textContent = fill(words.amount, { loaded: number.format(Math.min(loaded, bytes) / 1e6), total: number.format(bytes / 1e6) });
  }

  say(text) {
    this.status.textContent = text;
  }

  async #load() {
    this.say(words.loading);
    this.meter.max = bytes;
    this.progress(0);
    this.meter.hidden = this.amount.hidden = false;
    try {
      await session.start();
    } finally {
      this.meter.hidden = this.amount.hidden = true;
    }
  }

  #begin() {
    this.output.clear();
    if (this.cover) this.cover.open = true;
  }

  #leadTo(cell, isWrongHereToo) {
    const link = document.createElement("a");
    link.href = `#${cell.element.id}`;
    link.textContent = isWrongHereToo ? words.failed_above : words.done_but_above;
    this.status.replaceChildren(link);
  }

  #madeOutput() {
    const place = document.createElement("div");
    place.className = "output";
    place.setAttribute("role", "group");
    place.setAttribute("aria-label", words.output);
    this.element.append(place);
    return place;
  }

  #bar() {
    const bar = document.createElement("div");
    bar.className = "bar";
    const button = (name, act) => {
      const made = document.createElement("button");
      made.type = "button";
      made.textContent = words[name];
      made.dataset.act = name;
      made.addEventListener("click", () => made.getAttribute("aria-disabled") !== "true" && act());
      bar.append(made);
      return made;
    };
    this.buttons = {
      run: button("run", () => this.run()),
      edit: button("edit", () => this.edit()),
      stop: button("stop", () => this.stop()),
      reset: button("reset", () => this.reset()),
    };
    // Lessons ask for one more cell beside the student's own.
    if (this.kind === "student" && !isMore(this.element)) this.buttons.add = button("add", () => this.add().editor.focus());
    this.meter = Object.assign(document.createElement("progress"), { hidden: true });
    this.meter.setAttribute("aria-label", words.loading);
    this.amount = Object.assign(document.createElement("span"), { hidden: true, className: "amount" });
    this.status = Object.assign(document.createElement("p"), { className: "said" });
    this.status.setAttribute("role", "status");
    bar.append(this.meter, this.amount, this.status);
    (this.cover ?? this.place).before(bar);
  }

  #shown() {
    const { run, edit, stop, reset } = this.buttons;
    run.setAttribute("aria-disabled", String(this.isWaiting));
    edit.hidden = this.editor.isOpen;
    const isAsItWas = !this.editor.isChanged && (this.kind === "student" || !this.editor.isOpen);
    for (const [button, isOfNoUse] of [[stop, !this.isWaiting], [reset, isAsItWas]]) {
      if (isOfNoUse && document.activeElement === button) run.focus(); // what is not shown cannot keep it
      button.hidden = isOfNoUse;
    }
    this.element.toggleAttribute("data-running", this.isWaiting);
  }
}

const cells = [];
const found = document.querySelectorAll("[data-live]");
const why = obstacle();
note();
if (!why) {
  for (const element of found) cells.push(new Cell(element));
  // Those that were added on an earlier visit, and written in.
  for (const cell of [...cells]) if (cell.buttons.add && isKept(page, moreOf(cell.element))) cell.add();
  for (const element of document.querySelectorAll("[data-own-words]")) ownWords(element, { page });
}

/** Say once, where the first buttons are or would be, what they do; and let the reader begin again. */
function note() {
  const made = document.createElement("div");
  made.className = "note";
  const told = why ? [words[`no_${why}`]] : [...words.intro, fill(words.how, { total: number.format(bytes / 1e6) })];
  for (const text of told) made.append(Object.assign(document.createElement("p"), { textContent: text }));
  if (!why) {
    const again = Object.assign(document.createElement("button"), { type: "button", textContent: words.again });
    const said = Object.assign(document.createElement("p"), { className: "said" });
    said.setAttribute("role", "status");
    again.addEventListener("click", () => {
      session.end();
      for (const cell of cells) cell.say("");
      said.textContent = words.begun_again;
    });
    made.append(again, said);
  }
  found[0]?.before(made);
}

// The views take JupyterLab's word for whether the page is dark.
const root = document.documentElement;
const dark = () => {
  document.body.dataset.jpThemeLight = String(!["dark", "contrast"].includes(root.dataset.paper));
};
new MutationObserver(dark).observe(root, { attributeFilter: ["data-paper"] });
dark();

// The first visit of a page is not the service worker's yet: it is told what the page is made of, and keeps that.
async function keep() {
  const isKnown = navigator.serviceWorker.controller !== null;
  await navigator.serviceWorker.register(`${base}sw.js`);
  const { active } = await navigator.serviceWorker.ready;
  const parts = performance.getEntriesByType("resource").map(({ name }) => name);
  if (!isKnown) active.postMessage({ keep: [location.href.split("#")[0], ...parts].filter((one) => one.startsWith(base)) });
}

if ("serviceWorker" in navigator && !why) keep().catch(() => {}); // without it a page is loaded anew each time, and no more
