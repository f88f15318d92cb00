// What the AWS view shows, folded from the steps as they come: the rows, in the order in which they came, and what ties them.
import type { Decision, Step } from "../shared/trace";

export interface Queue {
  name: string;
  visible: number;
  in_flight: number;
  delayed: number;
  visibility_timeout: number;
  dead_letter_queue: string | null;
  max_receive_count: number | null;
  sources: string[]; // the queues whose dead letters come here
}

export interface Message {
  id: string;
  queue: string; // where it is
  state: "visible" | "in_flight" | "delayed" | "deleted" | "expired";
  deliveries: number;
  until: number | null; // when it is visible again, on the steps' time scale
  label: string;
  gone: boolean; // its queue was deleted
  changes: number; // how often it changed
}

export interface Mapping {
  id: string;
  queue: string;
  function: string;
  state: string; // AWS's own word
  batch_size: number;
  partial_responses: boolean;
  last_result: string | null;
}

export interface RunRow {
  id: string;
  function: string;
  messages: string[];
  delivery: number | null;
  result: "running" | "ok" | "error" | "died";
  ms: number | null;
  log: string[];
  masked: number; // how often a secret stood in the log
  refused: number; // writes
  t: number;
}

export interface DecisionRow extends Decision {
  id: string; // d and the step's number
  n: number;
  t: number;
  run: string | null;
  item_id: string;
  gone: number | null; // when its table was deleted
}

export interface ItemRow {
  id: string;
  table: string;
  key: string;
  item: Record<string, unknown>;
}

export interface Table {
  name: string;
  key: string[];
  items: Map<string, ItemRow>;
}

export type GoneKind = "queue" | "mapping" | "table" | "function" | "log_group" | "bucket";

/** A resource that exists no more. */
export interface Gone {
  id: string;
  kind: GoneKind;
  name: string;
  t: number;
  messages: Message[]; // those of a queue
}

/** The name of an item's row. */
export const itemId = (table: string, key: string): string => `item/${table}/${key}`;

type Value = Record<string, unknown>;

export class Model {
  readonly queues = new Map<string, Queue>();
  readonly mappings = new Map<string, Mapping>();
  readonly tables = new Map<string, Table>();
  readonly messages = new Map<string, Message>();
  readonly runs: RunRow[] = [];
  readonly decisions: DecisionRow[] = [];
  readonly gone: Gone[] = [];
  items = 0;
  private readonly sent = new Map<string, Message[]>(); // by the queue that they came to first
  private readonly run = new Map<string, RunRow>();
  private readonly decision = new Map<string, DecisionRow>();
  private readonly runsOf = new Map<string, string[]>(); // by message
  private readonly decisionsOf = new Map<string, string[]>(); // by run, and by item

  /** `initial`: the state before the first step. */
  constructor(initial: Record<string, unknown> = {}) {
    for (const path of Object.keys(initial).sort(byKind)) {
      this.set(path, initial[path] as Value | null, 0);
    }
  }

  /** Whether nothing of a story is there yet: no queue, run or write. */
  get isEmpty(): boolean {
    return this.queues.size === 0 && this.runs.length === 0 && this.decisions.length === 0 && this.gone.length === 0;
  }

  fold(step: Step): void {
    for (const [path, , value] of step.set) {
      this.set(path, value as Value | null, step.t);
    }
    const { ids = {} } = step;
    if (step.kind === "run_start" && ids.run) {
      const messages = ids.msgs ?? (ids.msg ? [ids.msg] : []);
      const row: RunRow = {
        ...{ id: ids.run, function: step.name ?? "", messages, delivery: ids.delivery ?? null, t: step.t },
        ...{ result: "running", ms: null, log: [], masked: 0, refused: 0 },
      };
      this.runs.push(row);
      this.run.set(row.id, row);
      for (const message of messages) {
        add(this.runsOf, message, row.id);
      }
    } else if (step.kind === "run_end" && step.run) {
      const row = this.run.get(step.run.id);
      if (row) {
        row.result = step.run.result ?? "died";
        row.ms = step.run.duration_ms ?? null;
        row.log = step.run.log;
        row.masked = step.run.masked ?? 0;
      }
    } else if (step.kind === "write" && step.decision) {
      this.write(step, step.decision);
    }
  }

  private write(step: Step, decision: Decision): void {
    const run = step.ids?.run ?? null;
    const item_id = itemId(decision.table, decision.key);
    const row = { ...decision, id: `d${step.n}`, n: step.n, t: step.t, run, item_id, gone: null };
    this.decisions.push(row);
    this.decision.set(row.id, row);
    add(this.decisionsOf, item_id, row.id);
    if (run) {
      add(this.decisionsOf, run, row.id);
      const its = this.run.get(run);
      if (its && decision.result === "refused") {
        its.refused += 1;
      }
    }
  }

  private set(path: string, value: Value | null, t: number): void {
    const slash = path.indexOf("/");
    const kind = path.slice(0, Math.max(slash, 0));
    const name = path.slice(slash + 1);
    switch (kind) {
      case "queue":
        this.keep(this.queues, kind, name, value && ({ name, ...value } as unknown as Queue), t);
        break;
      case "mapping":
        this.keep(this.mappings, kind, name, value && ({ id: name, ...value } as unknown as Mapping), t);
        break;
      case "table": {
        const table = value && { items: this.tables.get(name)?.items ?? new Map(), name, key: value.key as string[] };
        this.keep(this.tables, kind, name, table, t);
        break;
      }
      case "function":
      case "log_group":
      case "bucket":
        this.keep(null, kind, name, value, t);
        break;
      case "message":
        this.message(name, value);
        break;
      case "item":
        this.item(name, value);
        break;
    }
  }

  private keep<T>(rows: Map<string, T> | null, kind: GoneKind, name: string, value: T | null, t: number): void {
    if (value !== null) {
      rows?.set(name, value);
      return;
    }
    const shown = kind === "mapping" ? nameOf(this.mappings.get(name)) : name;
    const messages = kind === "queue" ? this.leave(name) : [];
    rows?.delete(name);
    this.gone.push({ id: `gone${this.gone.length + 1}`, kind, name: shown, t, messages });
    if (kind === "table") {
      for (const decision of this.decisions) {
        if (decision.table === name) {
          decision.gone ??= t;
        }
      }
    }
  }

  /** Return the messages that go with a queue; those that are dead letters by now stay, with their dead-letter queue. */
  private leave(queue: string): Message[] {
    const sent = this.sent.get(queue) ?? [];
    this.sent.delete(queue);
    for (const message of sent) {
      if (message.queue !== queue && this.queues.has(message.queue)) {
        add(this.sent, message.queue, message);
      }
    }
    return sent.filter((message) => message.queue === queue || !this.queues.has(message.queue));
  }

  private message(id: string, value: Value | null): void {
    const known = this.messages.get(id);
    if (!value) {
      if (known) {
        known.gone = true;
        known.changes += 1;
      }
    } else if (known) {
      Object.assign(known, value);
      known.changes += 1;
    } else {
      const message = { id, gone: false, changes: 0, ...value } as unknown as Message;
      this.messages.set(id, message);
      add(this.sent, message.queue, message);
    }
  }

  private item(name: string, item: Value | null): void {
    const slash = name.indexOf("/");
    const [table, key] = [name.slice(0, slash), name.slice(slash + 1)];
    const items = this.tables.get(table)?.items;
    if (items) {
      this.items -= items.size;
      if (item) {
        items.set(key, { id: itemId(table, key), table, key, item });
      } else {
        items.delete(key);
      }
      this.items += items.size;
    }
  }

  // What the view asks

  /** The queues that have a section of their own: all but those whose dead letters are shown with their source. */
  sections(): Queue[] {
    return [...this.queues.values()].filter((queue) => !queue.sources.some((source) => this.queues.has(source)));
  }

  /** The messages that a queue's section lists, oldest first: those sent to it, and to its dead-letter queue directly. */
  messagesOf(queue: Queue): Message[] {
    const own = this.sent.get(queue.name) ?? [];
    const dead = queue.dead_letter_queue ? this.sent.get(queue.dead_letter_queue) : undefined;
    return dead ? [...dead, ...own] : own;
  }

  /** How many dead letters of a queue there are; null where it has no dead-letter queue. */
  deadOf(queue: Queue): number | null {
    const dead = queue.dead_letter_queue ? this.queues.get(queue.dead_letter_queue) : undefined;
    return dead ? dead.visible + dead.in_flight + dead.delayed : null;
  }

  /** Whether a message is a dead letter: its queue is another one's dead-letter queue. */
  isDead(message: Message): boolean {
    return (this.queues.get(message.queue)?.sources.length ?? 0) > 0;
  }

  runOf(id: string): RunRow | undefined {
    return this.run.get(id);
  }

  decisionOf(id: string): DecisionRow | undefined {
    return this.decision.get(id);
  }

  itemOf(id: string): ItemRow | undefined {
    const [, table = "", ...key] = id.split("/");
    return this.tables.get(table)?.items.get(key.join("/"));
  }

  /** The rows that a row is tied to by message, run and item, in the order of the story; itself is not among them. */
  tied(id: string): string[] {
    const found = new Set<string>();
    const withDecision = (decision: string) => {
      found.add(decision).add(this.decision.get(decision)!.item_id);
    };
    const withRun = (run: string, every: boolean) => {
      found.add(run);
      this.run.get(run)?.messages.forEach((message) => found.add(message));
      if (every) {
        this.decisionsOf.get(run)?.forEach(withDecision);
      }
    };
    const decision = this.decision.get(id);
    if (decision) {
      withDecision(id);
      if (decision.run) {
        withRun(decision.run, false);
      }
    } else if (this.run.has(id)) {
      withRun(id, true);
    } else if (this.messages.has(id)) {
      this.runsOf.get(id)?.forEach((run) => withRun(run, true));
    } else {
      for (const each of this.decisionsOf.get(id) ?? []) {
        withDecision(each);
        const { run } = this.decision.get(each)!;
        if (run) {
          withRun(run, false);
        }
      }
    }
    found.delete(id);
    return [...found];
  }
}

/** Tables before their items, and messages by their numbers: a saved state has its paths in the alphabet's order. */
function byKind(one: string, other: string): number {
  const isItem = (path: string) => Number(path.startsWith("item/"));
  const areMessages = one.startsWith("message/") && other.startsWith("message/");
  return isItem(one) - isItem(other) || (areMessages ? one.localeCompare(other, "en", { numeric: true }) : 0);
}

const nameOf = (mapping: Mapping | undefined): string => (mapping ? `${mapping.queue} → ${mapping.function}` : "");

function add<T>(lists: Map<string, T[]>, key: string, value: T): void {
  const list = lists.get(key);
  if (list) {
    list.push(value);
  } else {
    lists.set(key, [value]);
  }
}
