// The site's service worker: Python is fetched once and then comes from here, and pages that were read open without a line.
// It answers for its own origin alone. `{{ python }}` is put in when the site is made: another Python, another cache.
const PYTHON = "{{ python }}";
const CACHES = { python: `bentocola-${PYTHON}`, pages: "bentocola-pages" };
const here = new URL(".", self.location).href;

self.addEventListener("install", () => self.skipWaiting());

self.addEventListener("activate", (event) => {
  const wanted = Object.values(CACHES);
  const clear = async () => {
    for (const name of await caches.keys()) {
      if (name.startsWith("bentocola-") && !wanted.includes(name)) await caches.delete(name);
    }
    await self.clients.claim();
  };
  event.waitUntil(clear());
});

// What a page was made of before it was this worker's.
self.addEventListener("message", (event) => {
  const keep = async () => {
    const cache = await caches.open(CACHES.pages);
    await Promise.allSettled(event.data.keep.map((address) => cache.add(address)));
  };
  event.waitUntil(keep());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(here)) return;
  const path = request.url.slice(here.length);
  // A folder of Python is named after what is in it: it never changes.
  if (path.startsWith(`${PYTHON}/`)) event.respondWith(keptFirst(request));
  else if (!path.startsWith("lite/")) event.respondWith(freshFirst(request));
});

// A browser that keeps nothing, as in some private windows, gets all of it from the line.
const opened = (name) => caches.open(name).catch(() => ({ match: async () => undefined, put: async () => {} }));

async function keptFirst(request) {
  const cache = await opened(CACHES.python);
  const kept = await cache.match(request);
  if (kept) return kept;
  const response = await fetch(request);
  if (response.ok) await cache.put(request, response.clone()).catch(() => {}); // no room: then it comes by the line again
  return response;
}

async function freshFirst(request) {
  const cache = await opened(CACHES.pages);
  try {
    const response = await fetch(request);
    if (response.ok) await cache.put(request, response.clone()).catch(() => {}); // no room: then it comes by the line again
    return response;
  } catch (error) {
    const kept = await cache.match(request, { ignoreSearch: true });
    if (kept) return kept;
    throw error;
  }
}
