// What a lesson gives the stepper to tell: its texts, questions and rules, in the student's language. Nothing of one lesson is built in.
import type { Trace } from "../shared/trace";

export type Mode = Trace["mode"];

export interface Question {
  question: string;
  options: { id: string; text: string }[];
  answer: string;
  end: string; // what came of it, as a sentence
  at: number; // the step that decides
}

/** One thing of the state that is always in view. With `field`, that member of the object under `path`. */
export interface Tile {
  path: string;
  field: string | null;
  label: string;
}

export interface Story {
  id: string;
  title: string;
  subtitle?: string;
  faults: { id: string; label: string }[];
  questions: Record<string, Question>; // by fault in a lesson, else by the id of the trace's `predict`
  tiles: Tile[];
  rules: Record<string, string>;
  why: string | null;
}

/** What the page tells whoever shows it: where the student is, and what they chose. */
export interface Standing {
  step: number;
  fault: string;
  prediction: string;
}
