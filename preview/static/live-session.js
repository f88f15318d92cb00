// One Python for a page: started when it is first wanted, and shared by the page's cells. One runs at a time.
// It knows nothing of how a page looks. Its texts are its caller's.

/** Why code cannot run here: "wasm", "worker", or null when it can. */
export function obstacle() {
  if (typeof WebAssembly !== "object") return "wasm";
  if (typeof Worker !== "function") return "worker";
  return null;
}

/** Python was ended, and so what waited for it. */
export class Ended extends Error {}

export class Session {
  #worker = null;
  #ready = null;
  #reject = null; // of those who wait for Python to come
  #running = null; // {resolve, reject, put} of the run that goes on
  #run = 0;
  #models = new Map();

  /** `base`: the site's address; `python`: the address of the folder of Python; `onProgress(bytes)`, `onEnd()`: the session is no more. */
  constructor({ base, python, language, onProgress, onEnd }) {
    this.options = { base, python, language };
    this.onProgress = onProgress;
    this.onEnd = onEnd;
  }

  get isStarted() {
    return this.#worker !== null;
  }

  /** Load Python unless it is there. Rejects with Ended when it was ended meanwhile, or with the Error that kept it away. */
  start() {
    this.#ready ??= new Promise((resolve, reject) => {
      const source = `import ${JSON.stringify(`${this.options.base}static/live-worker.js`)};`;
      const address = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
      const worker = new Worker(address, { type: "module" });
      this.#worker = worker;
      this.#reject = reject;
      worker.onerror = (event) => this.end(new Error(event.message ?? "worker"));
      worker.onmessage = ({ data }) => this.#heard(data, resolve);
      worker.postMessage({ start: this.options });
    });
    return this.#ready;
  }

  /** Run a cell, when no other runs, and return whether it came to its end. Rejects as `start` does. */
  async run(cell, source, { begin, put }) {
    await this.start();
    begin();
    return new Promise((resolve, reject) => {
      this.#running = { resolve, reject, put };
      this.#worker.postMessage({ run: ++this.#run, cell, source });
    });
  }

  /** End Python at once, whatever it does. What the cells made is gone. */
  end(why = new Ended()) {
    this.#worker?.terminate();
    const waiting = [this.#reject, this.#running?.reject];
    this.#worker = this.#ready = this.#reject = this.#running = null;
    for (const model of this.#models.values()) model.heard({ gone: true });
    this.#models.clear();
    this.onEnd();
    for (const reject of waiting) reject?.(why);
  }

  /** The page's side of a view that Python showed. */
  model({ id, state }) {
    const worker = this.#worker;
    const model = new Model(state, (said) => worker.postMessage({ view: id, said: JSON.stringify(said) }));
    this.#models.set(id, model);
    return model;
  }

  #heard(data, resolve) {
    if (data.loaded !== undefined) this.onProgress(data.loaded);
    else if (data.ready) resolve();
    else if (data.failed !== undefined) this.end(new Error(data.failed));
    else if (data.ran !== undefined) {
      const running = this.#running;
      this.#running = null;
      running?.resolve(data.ok);
    } else if (data.told) {
      const told = JSON.parse(data.told);
      if (told.output) this.#running?.put(told.output);
      else this.#models.get(told.view)?.heard(told);
    }
  }
}

/** What a view of `views.mjs` expects of its model: that of anywidget. https://anywidget.dev/en/afm/ */
class Model {
  #state;
  #say;
  #changed = {};
  #listeners = new Map();
  #isAlone = false; // Python is no more, and what it showed stays

  constructor(state, say) {
    this.#state = { ...state };
    this.#say = say;
  }

  get(name) {
    return this.#state[name];
  }

  set(name, value) {
    this.#state[name] = value;
    this.#changed[name] = value;
  }

  save_changes() {
    const set = this.#changed;
    this.#changed = {};
    if (!this.#isAlone) this.#say({ set });
  }

  send(message) {
    if (this.#isAlone) throw new Error("Python has ended.");
    this.#say({ message });
  }

  on(event, listener) {
    this.#listeners.set(event, [...(this.#listeners.get(event) ?? []), listener]);
  }

  off(event, listener) {
    this.#listeners.set(event, (this.#listeners.get(event) ?? []).filter((one) => one !== listener));
  }

  heard({ message, set, gone, closed }) {
    if (message !== undefined) this.#tell("msg:custom", message);
    for (const [name, value] of Object.entries(set ?? {})) {
      this.#state[name] = value;
      this.#tell(`change:${name}`);
    }
    if (gone) {
      this.#isAlone = true;
      this.#tell("comm:close");
    }
    if (closed) this.#tell("closed");
  }

  #tell(event, ...what) {
    for (const listener of this.#listeners.get(event) ?? []) listener(...what);
  }
}
