// What both views share as widgets: the part of anywidget's model that is used, and the feed that the saved notebook keeps.
import type { Feed } from "./trace";

/** The part of anywidget's model that is used here. */
export interface WidgetModel {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  save_changes(): void;
  send(content: unknown): void;
  on(event: string, listener: (...args: never[]) => void): void;
  off(event: string, listener: (...args: never[]) => void): void;
}

export interface Message {
  type: string;
  feed?: Feed;
  text?: string;
}

/** Add to the model's own feed, in place: the saved notebook then has it, and nothing of it goes back to the kernel. */
export function keep(model: WidgetModel, feed: Feed): void {
  const kept = model.get("feed") as Feed | null;
  if (!kept) {
    return;
  }
  const { initial, steps, ...rest } = feed;
  if (kept.story !== feed.story) {
    if (initial === undefined) {
      return; // only a beginning can follow another story
    }
    kept.initial = initial;
    kept.steps.length = 0;
  }
  Object.assign(kept, rest);
  for (const step of steps) {
    if (step.n === kept.steps.length + 1) {
      kept.steps.push(step);
    }
  }
}
