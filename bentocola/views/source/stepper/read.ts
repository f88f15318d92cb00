// Reading the steps: which runs are open, what came before, what only looks. It draws nothing and knows no language.
import type { Store } from "../shared/store";
import type { Lane, Step } from "../shared/trace";
import type { Tile } from "./story";

export const LANES: readonly Lane[] = ["you", "s3", "sqs", "lambda", "ddb"];

export const isLane = (actor: string): actor is Lane => (LANES as readonly string[]).includes(actor);

/** Return the lanes that a story has a use for, in their order; all of them where nothing has happened yet. */
export function lanesOf(steps: readonly Step[]): readonly Lane[] {
  const used = new Set(steps.flatMap(({ from, to }) => [from, to]));
  const lanes = LANES.filter((lane) => lane === "you" || used.has(lane));
  return lanes.length > 1 ? lanes : LANES;
}

/** Return step `n`, or undefined before the first. */
export const stepAt = (store: Store, n: number): Step | undefined => store.steps[n - 1];

/** Return what a tile shows of the value under its path: the whole of it, or one field. */
export function shownBy({ field }: Tile, value: unknown): unknown {
  if (field === null || typeof value !== "object" || value === null) {
    return value ?? null;
  }
  return (value as Record<string, unknown>)[field] ?? null;
}

export interface Bar {
  above: boolean; // a run is open when the step begins
  below: boolean; // a run is open when it is over
}

/** Return for each step whether a run is open before and after it. */
export function runBars(steps: readonly Step[]): Bar[] {
  const open = new Set<string>();
  return steps.map((step) => {
    const above = open.size > 0;
    const run = step.ids?.run ?? step.run?.id ?? "";
    if (step.kind === "run_start") {
      open.add(run);
    } else if (step.kind === "run_end" || step.run?.result === "died") {
      open.delete(run);
    }
    return { above, below: open.size > 0 };
  });
}

const LOOKING = /:(Get|List|Describe|Filter|Head|Scan|Query|BatchGet)/;
const SETTING = /:(Set|Tag|Untag|Update|Put(?!Object)|Add|Remove|Publish)/;

export const onlyLooks = (step: Step): boolean => LOOKING.test(step.api ?? "");

/** Whether a step is no part of the story: the student only looked, or set something up. What was refused is always part of it. */
export function isAside(step: Step): boolean {
  if (step.error) {
    return false;
  }
  const preparesOrLooks = onlyLooks(step) || SETTING.test(step.api ?? "") || !isLane(step.to);
  return step.kind === "resource" || (step.kind === "call" && step.from === "you" && preparesOrLooks);
}

/** Return how many neighbours are the same, by the number of the first: calls that changed nothing and were answered alike. */
export function repeatsOf(steps: readonly Step[]): Map<number, number> {
  const found = new Map<number, number>();
  let first: Step | undefined;
  for (const step of steps) {
    if (first && isAgain(first, step)) {
      found.set(first.n, (found.get(first.n) ?? 1) + 1);
    } else {
      first = step;
    }
  }
  return found;
}

function isAgain(one: Step, other: Step): boolean {
  const isEmpty = ({ kind, set, decision, fault, run }: Step) => kind === "call" && set.length === 0 && !decision && !fault && !run;
  const same = (["from", "to", "api", "error", "name"] as const).every((field) => one[field] === other[field]);
  const alike = Boolean(one.error) || one.wire?.text === other.wire?.text; // a refusal names its request, each another
  return isEmpty(one) && isEmpty(other) && same && alike && one.ids?.run === other.ids?.run;
}

/** Return the latest step before `step` that fits. */
export const before = (store: Store, step: Step, fits: (earlier: Step) => boolean): Step | undefined =>
  store.steps.slice(0, step.n - 1).findLast(fits);

/** Return the messages that the run of a step was given, by their short names. */
export function messagesOf(store: Store, { ids, n, kind }: Step): string[] {
  const isStart = (at: Step) => at.kind === "run_start" && at.ids?.run === ids?.run;
  const given = kind === "run_start" ? ids : store.steps.slice(0, n).findLast(isStart)?.ids;
  return given?.msgs ?? (given?.msg ? [given.msg] : []);
}

/** Return what a log says of a failure: its error, without the traceback; else the last line that the handler itself wrote. */
export function whyOf(log: readonly string[]): string {
  const lines = log.filter((line) => !/^(START|END|REPORT) /.test(line));
  const error = lines.find((line) => line.startsWith("[ERROR]") || /timed out|Runtime exited/.test(line));
  const told = error?.split("\n", 1)[0]?.replace(/^\[ERROR\]/, "") ?? lines.at(-1) ?? "";
  return told.split(/\s+/).join(" ").trim();
}
