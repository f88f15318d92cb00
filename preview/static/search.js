// The search's page. pagefind and its index are fetched once somebody searches, and from this site only. What is asked stays in the
// page's address (?q=), and goes nowhere else.
const form = document.querySelector("#search");
const field = form.querySelector("input");
const said = document.querySelector("#said");
const results = document.querySelector("#results");
const site = new URL("../", document.baseURI);
const language = document.documentElement.lang;
const PAGES = 10;
const PLACES = 3;
const PAUSE = 300; // ms after the last key

let loading;
let latest = 0;

const load = () => {
  loading ??= Promise.all([
    import(new URL("pagefind/pagefind.js", site).href),
    fetch("search-words.json").then((answer) => answer.json()),
  ]).then(async ([pagefind, words]) => {
    // In the page itself, so that the page's own policy binds it.
    await pagefind.options({ baseUrl: site.pathname, noWorker: true, excerptLength: language === "ja" ? 40 : 25 });
    await pagefind.init();
    return { pagefind, words };
  });
  loading.catch(() => (loading = undefined));
  return loading;
};

// Small letters, without accents, in one width: as `glossary.py` writes them.
const plain = (text) => text.toLowerCase().normalize("NFKD").replace(/[\u0300-\u036f]/g, "").normalize("NFC");
const isJapanese = (text) => /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text);

// The key word of the glossary that somebody means, in place of the other name they gave it.
const meant = (query, words) => {
  const asked = plain(query);
  if (asked in words) return words[asked];
  const inside = Object.keys(words)
    .filter((word) => (isJapanese(word) ? word.length > 2 && asked.includes(word) : ` ${asked} `.includes(` ${word} `)))
    .sort((one, other) => other.length - one.length)[0];
  return inside === undefined ? undefined : asked.replace(inside, words[inside]);
};

const wordsOf = (query) =>
  Intl.Segmenter
    ? [...new Intl.Segmenter(language, { granularity: "word" }).segment(query)].filter((part) => part.isWordLike).map((part) => part.segment)
    : query.split(/\s+/);

// Words of a question that mean something by themselves, for when no page has them all.
const parts = (query) => {
  const found = wordsOf(query).filter((word) => word.length > (isJapanese(word) ? 1 : 3));
  return found.length ? found : [query];
};

// Pages where the words of a name stand together, in the order of pagefind's score, or, if there is none, where all of them
// stand; without either, where most of the words do. pagefind shortens a word that it does not know until it knows it: a page
// counts if a word's first letters are on it.
const find = async (asked) => {
  const { pagefind, words } = await load();
  const query = asked.normalize("NFKC").replaceAll('"', " ");
  const known = meant(query, words);
  const names = known ? [known, query] : [query];
  const searched = async (text) => (await pagefind.search(text)).results;

  const found = new Map();
  const add = (result) => found.has(result.id) || found.set(result.id, result);
  for (const name of names) {
    // Of one word in quotes, pagefind tells the first place of a page only.
    const quoted = wordsOf(name).length > 1 ? await searched(`"${name}"`) : [];
    const together = new Map(quoted.map((result) => [result.id, result]));
    const all = await searched(name);
    for (const result of all) if (!together.size || together.has(result.id)) add(together.get(result.id) ?? result);
  }
  if (!found.size) {
    const some = (await Promise.all(parts(query).map(searched))).flat();
    const times = (one) => some.filter((result) => result.id === one.id).length;
    some.sort((one, other) => times(other) - times(one)).forEach(add);
  }
  const pages = await Promise.all([...found.values()].slice(0, PAGES).map((result) => result.data()));
  const beginnings = names.flatMap(parts).map((part) => plain(part).slice(0, 4));
  return { names, pages: pages.filter((page) => beginnings.some((beginning) => plain(page.content).includes(beginning))) };
};

const element = (name, ...children) => {
  const made = document.createElement(name);
  made.append(...children);
  return made;
};

// An excerpt is HTML with marks in it: only its text and its marks are taken. Marks beside each other are one.
const excerpt = (html) => {
  const joined = html.replace(/<\/mark>(\s*)<mark>/g, "$1").replace(/^[\s、。，．.,)）」]+/, "");
  const body = new DOMParser().parseFromString(joined, "text/html").body;
  const nodes = [...body.childNodes].map((node) => (node.nodeName === "MARK" ? element("mark", node.textContent) : node.textContent));
  if (!/[.。?？!！:：]\s*$/.test(body.textContent)) nodes.push("…");
  return element("p", ...nodes);
};

// The browser itself marks the words on the page, where it can: those with the same words before or after them, or none.
const place = (url, paragraph) => {
  const mark = paragraph.querySelector("mark");
  if (!mark || !("fragmentDirective" in document)) return url;
  const bare = (text) => text.replace(/^[\p{P}\s]+|[\p{P}\s]+$/gu, "");
  const escaped = (text) => encodeURIComponent(text).replaceAll("-", "%2D");
  const before = (mark.previousSibling?.textContent ?? "").split(/[\p{P}\n]/u).at(-1).trim();
  const after = (mark.nextSibling?.textContent ?? "").split(/[\p{P}\n]/u)[0].trim();
  if (!before && !after) return url;
  const around = before ? `${escaped(before)}-,${escaped(bare(mark.textContent))}` : `${escaped(bare(mark.textContent))},-${escaped(after)}`;
  return `${url}:~:text=${around}`;
};

const link = (text, url) => {
  const made = element("a", text);
  made.href = url;
  return made;
};

// Places that are called as somebody asked come first.
const nearness = (title, names) => {
  const called = plain(title);
  const asked = names.map(plain);
  return asked.includes(called) ? 0 : asked.some((name) => name.includes(called) || called.includes(name)) ? 1 : 2;
};

const shown = (page, names) => {
  const paragraph = excerpt(page.excerpt);
  const item = element("li", element("h2", link(page.meta.title, page.url)));
  const places = page.sub_results
    .filter((one) => one.url.includes("#"))
    .sort((one, other) => nearness(one.title, names) - nearness(other.title, names))
    .slice(0, PLACES);
  if (places.length === 0) {
    item.append(paragraph);
    return item;
  }
  const list = element("ul");
  for (const one of places) {
    const around = excerpt(one.excerpt);
    list.append(element("li", link(one.title, place(one.url, around)), around));
  }
  item.append(list);
  return item;
};

const search = async () => {
  const query = field.value.trim().normalize("NFC");
  const turn = ++latest;
  history.replaceState(null, "", query ? `?q=${encodeURIComponent(query)}` : location.pathname);
  if (!query) {
    results.replaceChildren();
    said.textContent = "";
    return;
  }
  if (!loading) said.textContent = form.dataset.busy;
  let pages, names;
  try {
    ({ pages, names } = await find(query));
  } catch {
    if (turn === latest) said.textContent = form.dataset.failed;
    return;
  }
  if (turn !== latest) return; // somebody wrote on
  results.replaceChildren(...pages.map((page) => shown(page, names)));
  said.textContent = (pages.length ? form.dataset.found : form.dataset.none)
    .replace("{number}", () => pages.length)
    .replace("{query}", () => query);
};

let pause;
field.addEventListener("input", (event) => {
  clearTimeout(pause);
  if (!event.isComposing) pause = setTimeout(search, PAUSE);
});
field.addEventListener("compositionend", () => {
  clearTimeout(pause);
  pause = setTimeout(search, PAUSE);
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  clearTimeout(pause);
  search();
});

document.querySelector("#without").hidden = true;
form.hidden = false;
field.value = new URLSearchParams(location.search).get("q") ?? "";
if (field.value) search();
