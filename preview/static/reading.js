// How somebody wants to read: background, code, size, lines, readings over kanji. A classic script in the head, so that it is applied
// before anything is painted. Kept in the browser's storage; every open page of the site follows at once. Only listed values count.
(() => {
  "use strict";
  const KEY = "bentocola.reading";
  const LISTED = {
    paper: ["white", "cream", "dark", "contrast"],
    code: ["tint", "plain"],
    size: ["100", "125", "150", "200"],
    lines: ["normal", "wide"],
    ruby: ["on", "off"],
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

  const apply = () => {
    const shown = { paper: ofTheSystem(), code: "tint", size: "100", lines: "normal", ruby: "on", ...read() };
    for (const [name, value] of Object.entries(shown)) root.dataset[name] = value;
    for (const choice of document.querySelectorAll("input[data-reading]")) {
      choice.checked = shown[choice.name] === choice.value;
    }
  };

  const choose = (choice) => {
    try {
      localStorage.setItem(KEY, JSON.stringify({ ...read(), [choice.name]: choice.value }));
    } catch {
      root.dataset[choice.name] = choice.value; // for this page alone
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
      const setting = choice.closest("fieldset").querySelector("legend").textContent;
      const value = choice.closest("label").textContent.trim();
      form.querySelector("[role=status]").textContent = form.dataset.changed.replace("{setting}", `${setting}: ${value}`);
    });
  });
})();
