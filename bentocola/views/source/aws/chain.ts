// The steps that one row of the view is about: those that the stepper shows when it is opened from there.
import type { Step } from "../shared/trace";
import type { Model } from "./model";

/** Return the numbers of a row's steps, and the one that is the row's own: a decision's write, else the first. */
export function chainOf(steps: readonly Step[], model: Model, row: string): { only: number[]; step: number } {
  const decision = model.decisionOf(row);
  const start = decision ? (decision.run ?? decision.item_id) : row;
  // Of a run the whole way of its messages: what came before is why it went as it did.
  const messages = model.runOf(start)?.messages ?? [];
  const rows = new Set([start, row, ...(messages.length ? messages : [start]).flatMap((id) => [id, ...model.tied(id)])]);
  const chain = new Set<number>();
  for (const each of steps) {
    if (isOf(each, rows)) {
      // With what led to it: the event of a message, the upload of an event.
      for (let at: Step | undefined = each; at && !chain.has(at.n); at = at.cause ? steps[at.cause - 1] : undefined) {
        chain.add(at.n);
      }
    }
  }
  const only = [...chain].sort((a, b) => a - b);
  return { only, step: decision?.n ?? only[0] ?? 0 };
}

function isOf({ n, ids = {}, decision }: Step, rows: ReadonlySet<string>): boolean {
  if (ids.run) {
    return rows.has(ids.run);
  }
  // A write that no run made is tied to others by its item only.
  return decision ? rows.has(`d${n}`) : [...(ids.msgs ?? []), ids.msg ?? ""].some((message) => rows.has(message));
}
