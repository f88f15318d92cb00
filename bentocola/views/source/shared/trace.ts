// A trace as it comes from Python: `bentocola/cloud/trace.schema.json` says what each part means. No sentence, no secret.

export type Lane = "you" | "s3" | "sqs" | "lambda" | "ddb";

export interface Decision {
  table: string;
  op: string;
  condition: string | null;
  key: string;
  result: "accepted" | "refused";
  error?: string;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface Run {
  id: string;
  function?: string;
  result?: "ok" | "error" | "died";
  duration_ms?: number;
  log: string[];
  masked?: number; // how often a secret of the run stood in its log; *** stands there instead
}

export type Kind =
  | "call" | "event" | "message" | "deliver" | "run_start" | "write" | "run_end" | "fault" | "timeout" | "delete" | "dead"
  | "resource" | "clock";

export interface Step {
  n: number;
  t: number; // milliseconds on the course's clock
  kind: Kind;
  from: string;
  to: string;
  api?: string;
  error?: string;
  name?: string;
  ids?: { msg?: string; msgs?: string[]; delivery?: number; run?: string; item?: string };
  cause?: number;
  fault?: string;
  wire?: { text: string; mark: [number, number, string][] }; // offsets in UTF-16 units
  decision?: Decision;
  run?: Run;
  set: [string, unknown, unknown][]; // [path, old, new]
}

export interface Actor {
  id: string;
  service: string;
  name: string;
  dlq?: boolean;
}

export interface Verdict {
  rule: string;
  ok: boolean;
  path?: string | null;
  expected?: unknown;
  got?: unknown;
  blame?: number[];
  shrunk_from?: number | null;
}

export interface Trace {
  schema: string;
  id: string;
  mode: "lesson" | "counterexample" | "session";
  fault: { kind: string } | null;
  predict: { id: string; answer?: string } | null;
  actors: Actor[];
  initial: Record<string, unknown>;
  steps: Step[];
  verdict: Verdict | null;
}

/** What follows a trace as it grows: the same object from a kernel's message and from the lab server's `/_bentocola/steps`. */
export interface Feed {
  schema: string;
  story: string; // another one: begin again, with its `initial`
  initial?: Record<string, unknown>; // with the first steps of a story only
  actors: Actor[];
  now_ms: number; // the course's clock, on the steps' scale
  at: string; // the same moment as ISO 8601 in UTC
  live: boolean; // whether time goes on by itself
  steps: Step[]; // after those that came before; 1,000 at the most
  more: boolean; // whether further ones wait already
}

export const SCHEMA = "bentocola.trace/1";
