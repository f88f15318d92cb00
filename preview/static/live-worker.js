// A page's Python: runs its cells, one at a time, and says how much of it has come. Started from a blob, so that the page's policy binds it.
// From the page: {start: {python, language, total}}, {run: id, cell, source}, {view, said}.
// To the page: {loaded}, {ready}, {failed}, {ran: id, ok}, and what the cells put out, as JSON: {told}.
let ready = null;

async function start({ python, language }) {
  countWhatComes();
  const { loadPyodide } = await import(`${python}pyodide.mjs`);
  const py = await loadPyodide({ indexURL: python, packages: ["bentocola-page"], fullStdLib: false });
  const Shell = py.pyimport("bentocola_page.shell").Shell;
  return Shell(language, (told) => postMessage({ told }));
}

/** Tell the page how many bytes have come, at most ten times a second; and when the line broke, for Pyodide waits on. */
function countWhatComes() {
  const fetched = self.fetch;
  let loaded = 0;
  let told = 0;
  const broke = (error) => {
    postMessage({ failed: String(error) });
    throw error;
  };
  self.fetch = async (...request) => {
    const response = await fetched(...request).catch(broke);
    if (!response.ok) broke(new Error(`${response.status} ${response.url}`));
    const reader = response.body.getReader();
    const counted = new ReadableStream({
      async pull(onwards) {
        const { done, value } = await reader.read().catch(broke);
        if (done) return onwards.close();
        loaded += value.byteLength;
        if (performance.now() - told > 100) {
          told = performance.now();
          postMessage({ loaded });
        }
        onwards.enqueue(value);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(counted, { status, statusText, headers });
  };
}

onmessage = async ({ data }) => {
  if (data.start) {
    ready = start(data.start);
    try {
      await ready;
      postMessage({ ready: true });
    } catch (error) {
      postMessage({ failed: String(error) });
    }
    return;
  }
  const shell = await ready;
  try {
    if (data.run !== undefined) postMessage({ ran: data.run, ok: shell.run(data.cell, data.source) });
    else if (data.view) shell.heard(data.view, data.said);
  } catch (error) {
    // What a cell raises is told by the shell: this is Python itself that cannot go on.
    postMessage({ failed: String(error) });
  }
};
