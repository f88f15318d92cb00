// How somebody wants to read: background, code, size, lines, readings over kanji. It stands in the head of each page, so that it is
// applied before anything is painted, and nothing waits for it. Kept in the browser's storage; every open page of the site follows at
// once. Only listed values count.
(() => {
  "use strict";
  const KEY = "bentocola.reading";
  const LISTED = {
    paper: ["white", "cream", "dark", "contrast"],
    code: ["tint", "plain"],
    size: ["100", "125", "150", "200"],
    lines: ["normal", "wide"],
    ruby: ["off", "terms", "all"],
  };
  const root = document.documentElement;
  const asks = (query) => matchMedia(query).matches;
  const ofTheSystem = () =>
    asks("(prefers-contrast: more)") ? "contrast" : asks("(prefers-color-scheme: dark)") ? "dark" : "cream";

  const read = () => {
    let kept = {};
    try {
      kept = JSON.parse(localStorage.getItem(KEY)) ?? {};
    } catch {
      // No storage, or something else's text in it: then nothing was chosen.
    }
    const chosen = {};
    for (const [name, values] of Object.entries(LISTED)) {
      if (values.includes(kept[name])) chosen[name] = kept[name];
    }
    return chosen;
  };

  // The page in the other language opens at the cell that is read, or that the address names.
  addEventListener("click", (event) => {
    const link = event.target.closest("a[hreflang]");
    if (!link || !document.querySelector("main .text")) return;
    const read = [...document.querySelectorAll("main > [id]")].findLast((cell) => cell.getBoundingClientRect().top < innerHeight / 3);
    link.hash = scrollY > innerHeight && read ? read.id : location.hash;
  });

  const say = (text) => (document.querySelector("details.reading [role=status]").textContent = text);
  // What is seen of an element, without the readings over it.
  const textOf = (element) => {
    const copy = element.cloneNode(true);
    for (const beside of copy.querySelectorAll("rt, rp")) beside.remove();
    return copy.textContent.trim();
  };

  // Readings over every word weigh as much as a page: they are fetched when somebody asks, into the texts that they belong to.
  const without = new Map();
  let isAsked = false;
  const every = async (isWanted) => {
    const main = document.querySelector("main[data-readings]");
    if (!main || isWanted === isAsked) return;
    isAsked = isWanted;
    try {
      const texts = isWanted ? await (await fetch(main.dataset.readings)).json() : {};
      if (isWanted !== isAsked) return;
      for (const [text, html] of without) text.innerHTML = html;
      without.clear();
      for (const [id, html] of Object.entries(texts)) {
        const text = document.getElementById(id);
        without.set(text, text.innerHTML);
        text.innerHTML = html;
      }
      // What the address names moved down, and is another element now. Who is choosing stays at the choices.
      if (location.hash && !document.activeElement.matches("input[data-reading]")) location.replace(location.href);
    } catch {
      isAsked = false; // the next choice asks again
      say(document.querySelector("details.reading").dataset.failed);
    }
  };

  const apply = () => {
    const shown = { paper: ofTheSystem(), code: "tint", size: "100", lines: "normal", ruby: "terms", ...read() };
    for (const [name, value] of Object.entries(shown)) root.dataset[name] = value;
    for (const choice of document.querySelectorAll("input[data-reading]")) {
      choice.checked = shown[choice.name] === choice.value;
    }
    every(shown.ruby === "all");
  };

  const choose = (choice) => {
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...read(), [choice.name]: choice.value }));
    } catch {
      root.dataset[choice.name] = choice.value; // for this page alone
      every(root.dataset.ruby === "all");
      return;
    }
    apply();
  };

  apply();
  // Another tab wrote: this one reads, and never writes in answer.
  addEventListener("storage", (event) => {
    if (event.key === KEY || event.key === null) apply();
  });
  // A page that comes back as it was left may be behind.
  addEventListener("pageshow", (event) => {
    if (event.persisted) apply();
  });
  for (const query of ["(prefers-contrast: more)", "(prefers-color-scheme: dark)"]) {
    matchMedia(query).addEventListener("change", apply);
  }
  addEventListener("DOMContentLoaded", () => {
    apply();
    const form = document.querySelector("details.reading");
    if (!form) return;
    form.hidden = false;
    form.addEventListener("change", (event) => {
      const choice = event.target.closest("input[data-reading]");
      if (!choice) return;
      choose(choice);
      const setting = textOf(choice.closest("fieldset").querySelector("legend"));
      say(form.dataset.changed.replace("{setting}", `${setting}: ${textOf(choice.closest("label"))}`));
    });
  });
})();
