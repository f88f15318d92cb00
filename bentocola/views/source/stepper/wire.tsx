// The exact text that crosses at a step, with numbered notes; and what a function wrote into its log.
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { bytes, number } from "../shared/formats";
import { Heading, useWords } from "../shared/root";
import type { Step } from "../shared/trace";
import { type Mark, marksOf, REASONS } from "./marks";

/** Beyond so many characters no places to break at are put in: a text breaks anywhere anyway. */
const LONG = 8_000;

export interface WireProps {
  step: Step;
  pretty: boolean;
  onPretty: (pretty: boolean) => void;
  speak: (text: string) => void;
}

export function Wire({ step, pretty, onPretty, speak }: WireProps) {
  const { say, language } = useWords();
  const pre = useRef<HTMLPreElement>(null);
  const text = step.wire?.text;
  if (text === undefined) {
    return <p class="none">{say("No text crosses in this step.")}</p>;
  }
  const ordered = inOrder(text);
  const isOrdered = pretty && ordered !== null;
  const marks = isOrdered ? [] : marksOf(step);
  const name = say("Exact text that crosses");
  return (
    <figure data-wire>
      <div class="bar">
        <Heading below={2} class="caption">{name}</Heading>
        <small>{say("{count} bytes", { count: number(language, bytes(text)) })}</small>
        <span class="right">
          {ordered !== null && (
            <button type="button" data-do="pretty" aria-pressed={pretty} onClick={() => onPretty(!pretty)}>
              {say("Indent")}
            </button>
          )}
          <Copy text={text} pre={() => pre.current} speak={speak} />
        </span>
      </div>
      <pre ref={pre} tabIndex={0} role="region" aria-label={name} translate={false} lang="en">
        {isOrdered ? ordered : <Marked text={text} marks={marks} />}
      </pre>
      {marks.length > 0 && (
        <ol class="notes">
          {marks.map(({ start, reasons }, index) => (
            <li key={start}>
              <b>{index + 1}</b>
              {reasons.map((id) => say(REASONS[id] ?? id)).join(say("; "))}
            </li>
          ))}
        </ol>
      )}
    </figure>
  );
}

function inOrder(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}

function Marked({ text, marks }: { text: string; marks: Mark[] }) {
  const part = text.length > LONG ? (piece: string) => [piece] : softened;
  const parts: ComponentChildren[] = [];
  let told = 0;
  for (const [index, { start, end }] of marks.entries()) {
    parts.push(
      ...part(text.slice(told, start)),
      <mark>
        {part(text.slice(start, end))}
        <sup aria-hidden="true">{index + 1}</sup>
      </mark>,
    );
    told = end;
  }
  return <>{[...parts, ...part(text.slice(told))]}</>;
}

/** A text with places where a line may break, behind commas, slashes and colons. */
const softened = (text: string): ComponentChildren[] =>
  text.split(/(?<=[,/])|(?<=:)(?=[{"[\\])/).flatMap((piece, index) => (index ? [<wbr />, piece] : [piece]));

/** Copies the text; where the browser does not let a page do that, the text is selected instead. */
function Copy({ text, pre, speak }: { text: string; pre: () => HTMLElement | null; speak: (text: string) => void }) {
  const { say } = useWords();
  const [copied, setCopied] = useState(false);
  const timer = useRef(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
    } catch {
      const shown = pre();
      if (shown) {
        getSelection()?.selectAllChildren(shown);
      }
      speak(say("The text is selected: copy it with the keyboard."));
      return;
    }
    setCopied(true);
    speak(say("Copied"));
    timer.current = window.setTimeout(() => setCopied(false), 1500);
  };
  return (
    <button type="button" data-do="copy" onClick={() => void copy()}>
      {copied ? say("Copied") : say("Copy")}
    </button>
  );
}

export function Log({ step }: { step: Step }) {
  const { say } = useWords();
  const run = step.run;
  if (!run || run.log.length === 0) {
    return null;
  }
  const name = say("Log of {run}", { run: run.id });
  return (
    <div data-log>
      <Heading below={2} class="caption">{name}</Heading>
      <pre tabIndex={0} role="region" aria-label={name} translate={false} lang="en">
        {run.log.join("\n")}
      </pre>
      {run.masked && (
        <p class="notes">{say("A secret stood in this log {count} times: *** stands for it.", { count: run.masked })}</p>
      )}
    </div>
  );
}
