// The steps of a story and the state that they fold to. Feeds are added as they come; nothing is folded twice.
import { type Actor, type Feed, SCHEMA, type Step, type Trace } from "./trace";

export type State = ReadonlyMap<string, unknown>;

/** What one feed brought. */
export interface Applied {
  steps: Step[];
  restarted: boolean; // another story: what was there before is gone
  missing: boolean; // steps between are missing: ask for those after `last` again
}

export class Store {
  story = "";
  actors: Actor[] = [];
  initial: Record<string, unknown> = {};
  readonly steps: Step[] = [];
  now = 0; // the course's clock on the steps' scale, when the last feed came
  at = new Date(0); // the same moment as a date
  live = false; // whether time goes on by itself
  private latest = new Map<string, unknown>();
  private readonly listeners = new Set<(applied: Applied) => void>();
  // A second fold that moves to the step that is asked for, forwards by the new values and backwards by the old ones.
  private cursor = { n: 0, state: new Map<string, unknown>() };

  /** The state after the last step. */
  get state(): State {
    return this.latest;
  }

  /** The number of the last step; they are numbered from 1 without gaps. */
  get last(): number {
    return this.steps.length;
  }

  /** Add what a feed brings; steps that are there already are passed over. */
  apply(feed: Feed): Applied {
    const restarted = feed.initial !== undefined && feed.story !== this.story && this.story !== "";
    if (feed.story !== this.story) {
      if (feed.initial === undefined) {
        return this.tell({ steps: [], restarted: false, missing: true });
      }
      this.begin(feed.story, feed.initial);
    }
    const added: Step[] = [];
    for (const step of feed.steps) {
      if (step.n === this.last + 1) {
        this.steps.push(step);
        for (const [path, , now] of step.set) {
          this.latest.set(path, now);
        }
        added.push(step);
      } else if (step.n > this.last) {
        return this.tell({ steps: added, restarted, missing: true });
      }
    }
    this.actors = feed.actors;
    this.now = feed.now_ms;
    this.at = new Date(feed.at);
    this.live = feed.live;
    return this.tell({ steps: added, restarted, missing: false });
  }

  /** Return the state after step `n`; 0 is before the first. */
  stateAt(n: number): State {
    const { state } = this.cursor;
    while (this.cursor.n < Math.min(n, this.last)) {
      for (const [path, , now] of this.steps[this.cursor.n++]!.set) {
        state.set(path, now);
      }
    }
    while (this.cursor.n > Math.max(n, 0)) {
      for (const [path, old] of this.steps[--this.cursor.n]!.set.toReversed()) {
        state.set(path, old);
      }
    }
    return new Map(state);
  }

  /** Return the moment of a step's `t`, as a date on the course's clock. */
  dateOf(t: number): Date {
    return new Date(this.at.getTime() - this.now + t);
  }

  /** Be told of each feed that is applied. Returns what ends it. */
  subscribe(listener: (applied: Applied) => void): () => void {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  }

  private begin(story: string, initial: Record<string, unknown>): void {
    this.story = story;
    this.initial = initial;
    this.steps.length = 0;
    this.latest = new Map(Object.entries(initial));
    this.cursor = { n: 0, state: new Map(this.latest) };
  }

  private tell(applied: Applied): Applied {
    for (const listener of this.listeners) {
      listener(applied);
    }
    return applied;
  }
}

/** Return a store that holds a whole trace, whose time stands still at its last step. */
export function storeOf(trace: Trace): Store {
  const store = new Store();
  const now = trace.steps.at(-1)?.t ?? 0;
  const feed = { story: trace.id, initial: trace.initial, actors: trace.actors, steps: trace.steps };
  store.apply({ ...feed, schema: SCHEMA, now_ms: now, at: new Date(now).toISOString(), live: false, more: false });
  return store;
}
