// What a cell puts out, drawn below it: text as it comes, HTML without what a page does not let in, views, errors.

const MOST = 100_000; // characters of text that one run of a cell shows,
const MOST_LINES = 300; // and its lines: what stands below stays in reach

/** Draws into `place`. `views`: the address of the views' module; `modelOf`: the session's `model`; `words`: the page's. */
export class Output {
  #place;
  #options;
  #pre = null;
  #name = ""; // "stdout" or "stderr": each has a place of its own, as in a notebook
  #waiting = "";
  #shown = 0;
  #lines = 0;
  #isFull = false;
  #ends = [];

  constructor(place, options) {
    this.#place = place;
    this.#options = options;
  }

  /** Take away what stands there. */
  clear() {
    for (const end of this.#ends.splice(0)) end();
    this.#place.replaceChildren();
    this.#pre = null;
    this.#waiting = this.#name = "";
    this.#shown = this.#lines = 0;
    this.#isFull = false;
  }

  /** Draw what waits to be drawn. */
  flush() {
    this.#draw();
  }

  put(output) {
    if (output.kind === "stream") this.#write(output.text, output.name);
    else if (output.kind === "error") this.#error(output);
    else if (output.kind === "view") this.#view(output);
    else if (output.html !== null) this.#append(fragment(output.html));
    else this.#append(pre(output.text));
  }

  /** Many lines are drawn together, so that a cell that prints without end leaves the page at work. */
  #write(text, name) {
    if (this.#isFull) return;
    if (name !== this.#name) {
      this.#draw();
      this.#pre = null;
      this.#name = name;
    }
    if (!this.#waiting) requestAnimationFrame(() => this.#draw());
    const kept = text.slice(0, MOST - this.#shown).split("\n").slice(0, MOST_LINES - this.#lines + 1).join("\n");
    this.#shown += kept.length;
    this.#lines += kept.split("\n").length - 1;
    this.#isFull = kept.length < text.length;
    this.#waiting += this.#isFull ? `${kept}\n${this.#options.words.much}\n` : kept;
  }

  #draw() {
    if (!this.#waiting) return;
    if (!this.#pre) {
      this.#pre = pre("");
      this.#place.append(this.#pre);
    }
    this.#pre.append(this.#waiting);
    this.#waiting = "";
  }

  #append(...elements) {
    this.#draw();
    this.#pre = null;
    this.#place.append(...elements);
  }

  #error({ said, trace }) {
    const head = document.createElement("p");
    head.className = "failed";
    head.textContent = said;
    this.#append(head, ...(trace ? [pre(trace)] : []));
  }

  #view({ model, text }) {
    const place = document.createElement("div");
    place.className = "view";
    this.#append(place);
    const side = this.#options.modelOf(model);
    import(this.#options.views).then(
      ({ default: { render } }) => {
        const end = render({ model: side, el: place });
        this.#ends.push(end);
        side.on("closed", () => place.remove());
      },
      () => place.replaceChildren(pre(text)),
    );
  }
}

function pre(text) {
  const element = document.createElement("pre");
  element.textContent = text;
  return element;
}

/**
 * HTML that Python made. The page's policy lets no style attribute in, nor a script: a style is set by script, and under another name
 * until then, for even a document that nobody shows reports it.
 */
function fragment(html) {
  const renamed = html.replace(/<[a-z][^<>]*>/gi, (tag) => tag.replace(/\sstyle=/gi, " data-style="));
  const made = new DOMParser().parseFromString(renamed, "text/html");
  const found = document.createDocumentFragment();
  found.append(...[...made.body.childNodes].map((node) => document.adoptNode(node)));
  for (const element of found.querySelectorAll("[data-style]")) {
    element.style.cssText = element.dataset.style;
    delete element.dataset.style;
  }
  return found;
}
