// A cell's code, to be read in colours or to be changed in a plain text field. What somebody wrote is kept in the browser.

const KEY = "bentocola.cells";

export class Editor {
  #code;
  #field = null;
  #page;

  /** `cell`: the element; `page`: the page's name; `label`: the field's. */
  constructor(cell, { page, label }) {
    this.cell = cell;
    this.#code = cell.querySelector(".code");
    this.#page = page;
    this.label = label;
    this.original = this.#code.querySelector("pre").textContent.replace(/\n$/, "");
    const kept = read(page)[cell.id];
    if (kept !== undefined && kept !== this.original) this.open(kept);
  }

  get source() {
    return this.#field ? this.#field.value : this.original;
  }

  get isChanged() {
    return this.source !== this.original;
  }

  get isOpen() {
    return this.#field !== null;
  }

  focus() {
    this.#field?.focus();
    this.#field?.setSelectionRange(0, 0);
  }

  /** Show the field in place of the coloured code. */
  open(source = this.original) {
    if (this.#field) return;
    const field = document.createElement("textarea");
    field.value = source;
    field.className = "editor";
    field.spellcheck = false;
    field.autocapitalize = "off";
    field.setAttribute("autocorrect", "off");
    field.setAttribute("aria-label", this.label);
    field.setAttribute("translate", "no");
    field.addEventListener("input", () => {
      fit(field);
      write(this.#page, this.cell.id, field.value === this.original ? undefined : field.value);
      this.cell.dispatchEvent(new Event("change-of-code"));
    });
    field.addEventListener("keydown", keepIndentation);
    this.#code.hidden = true;
    this.#code.after(field);
    this.#field = field;
    fit(field);
  }

  /** Show the original again, and forget what was written. */
  reset() {
    write(this.#page, this.cell.id, undefined);
    this.#field?.remove();
    this.#field = null;
    this.#code.hidden = false;
  }
}

/** A field for an answer in words: it stays in the browser, as code does. */
export function ownWords(cell, { page }) {
  const field = document.createElement("textarea");
  field.className = "editor words";
  field.value = read(page)[cell.id] ?? "";
  field.setAttribute("aria-label", cell.getAttribute("aria-label"));
  field.addEventListener("input", () => {
    fit(field);
    write(page, cell.id, field.value || undefined);
  });
  cell.append(field);
  fit(field);
}

/** As high as what stands in it, also where a long line goes on below: who reads sees all of it. */
function fit(field) {
  field.rows = Math.max(3, field.value.split("\n").length + 1);
  field.style.height = "auto";
  field.style.height = `${Math.max(field.scrollHeight + field.offsetHeight - field.clientHeight, 44)}px`;
}

/** Enter goes on below the line's beginning, four spaces further after a colon; Backspace takes four spaces. Tab stays the page's. */
function keepIndentation(event) {
  const { value, selectionStart: start, selectionEnd: end } = event.target;
  if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const line = value.slice(value.lastIndexOf("\n", start - 1) + 1, start);
  const indentation = line.match(/^ */)[0];
  if (event.key === "Enter") {
    event.preventDefault();
    type(event.target, `\n${indentation}${line.trimEnd().endsWith(":") ? "    " : ""}`);
  } else if (event.key === "Backspace" && start === end && line && line === indentation && line.length % 4 === 0) {
    event.preventDefault();
    event.target.setSelectionRange(start - 4, start);
    type(event.target, "");
  }
}

/** As if it was typed, so that the browser's undo knows of it. */
function type(field, text) {
  const typed = text ? document.execCommand("insertText", false, text) : document.execCommand("delete");
  if (!typed) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input"));
  }
}

/** Whether something was written in a cell of that name. */
export const isKept = (page, name) => read(page)[name] !== undefined;

function read(page) {
  try {
    return JSON.parse(localStorage.getItem(KEY))?.[page] ?? {};
  } catch {
    return {}; // no storage, or something else's text in it
  }
}

function write(page, cell, source) {
  try {
    const all = JSON.parse(localStorage.getItem(KEY) ?? "{}") ?? {};
    all[page] = { ...all[page], [cell]: source };
    localStorage.setItem(KEY, JSON.stringify(all));
  } catch {
    // Then it lives as long as the page does.
  }
}
