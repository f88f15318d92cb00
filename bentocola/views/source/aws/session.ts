// One view's life: feeds come in, are folded (or wait while the view is paused), and lead to one drawing a frame at the most.
import { Store } from "../shared/store";
import type { Feed, Step } from "../shared/trace";
import { onlyLooks } from "../stepper/read";
import { Model } from "./model";

const LONGEST_REST_MS = 150;

/** Whether a cloud is behind the view: not heard of yet, there, lost, or none at all (a saved notebook). */
export type Connection = "waiting" | "there" | "lost" | "none";

export class Session {
  readonly store = new Store();
  model = new Model();
  connection: Connection = "waiting";
  paused = false;
  restarted: Date | null = null; // when another story began while this view was open
  chosen: string | null = null; // the row whose ties are marked
  only: string | null = null; // the row whose ties alone are shown
  stepper: { row: string } | null = null;
  private waiting: Step[] = [];
  private story = "";
  private heard = 0;
  private timer = 0;
  private rested = 0; // when the next drawing may begin
  private readonly folded = new Set<(steps: Step[]) => void>();

  /** `draw`: draws the view. `ask`: asks for the steps of a story after one. */
  constructor(
    private readonly draw: () => void,
    private readonly ask: (story: string, since: number) => void = () => {},
  ) {}

  /** How many changes wait until the view goes on. */
  get waits(): number {
    return this.waiting.length;
  }

  /** Whether time goes on by itself in what is shown. */
  get goesOn(): boolean {
    return this.store.live && this.connection === "there" && !this.paused;
  }

  /** What a countdown depends on, but for the time that goes by: it changes when the clock jumps. */
  get timing(): string {
    return this.goesOn ? `live ${Math.round((this.store.now - this.heard) / 500)}` : `still ${this.store.now}`;
  }

  /** The course's clock by now, on the steps' scale: it goes on between feeds if the cloud's does. */
  get now(): number {
    return this.store.now + (this.goesOn ? performance.now() - this.heard : 0);
  }

  apply(feed: Feed): void {
    const { steps, restarted, missing } = this.store.apply(feed);
    if (this.story !== this.store.story) {
      this.story = this.store.story;
      this.model = new Model(this.store.initial);
      this.waiting = [];
      this.chosen = this.only = this.stepper = null;
    }
    this.heard = performance.now();
    this.waiting.push(...steps);
    if (!this.paused) {
      this.foldWaiting();
    }
    if (restarted) {
      this.restarted = this.store.at; // what the new story began with was done before anybody was told of it
    }
    if (missing) {
      this.ask(this.store.story, this.store.last);
    }
    this.changed();
  }

  /** Be told of the steps that were folded. Returns what ends it. */
  onFolded(listener: (steps: Step[]) => void): () => void {
    this.folded.add(listener);
    return () => void this.folded.delete(listener);
  }

  connect(connection: Connection): void {
    if (connection !== this.connection) {
      this.connection = connection;
      this.changed();
    }
  }

  pause(paused: boolean): void {
    this.paused = paused;
    if (!paused) {
      this.foldWaiting();
    }
    this.changed();
  }

  /** Change what is shown, and draw it. */
  show(change: Partial<Pick<Session, "chosen" | "only" | "stepper">>): void {
    Object.assign(this, change);
    this.changed();
  }

  /** The reader knows that the story is a new one. */
  understood(): void {
    this.restarted = null;
    this.changed();
  }

  /** Have it drawn: in the next frame, or a little later where drawing takes long, so that the page stays free for the reader. */
  changed(): void {
    this.timer ||= window.setTimeout(() => requestAnimationFrame(() => this.drawNow()), this.rested - performance.now());
  }

  end(): void {
    clearTimeout(this.timer);
    this.timer = -1; // nothing is drawn any more
  }

  private drawNow(): void {
    if (this.timer > 0) {
      this.timer = 0;
      const began = performance.now();
      this.draw();
      const took = performance.now() - began;
      this.rested = began + Math.min(3 * took, LONGEST_REST_MS);
    }
  }

  private foldWaiting(): void {
    const steps = this.waiting;
    this.waiting = [];
    for (const step of steps) {
      this.model.fold(step);
      if (step.from === "you" && !onlyLooks(step)) {
        this.restarted = null; // somebody goes on: they know
      }
    }
    for (const listener of this.folded) {
      listener(steps);
    }
  }
}
